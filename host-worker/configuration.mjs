// Prints what a configuration of wrangler means to Miniflare, as JSON: node configuration.mjs FILE
import { unstable_getMiniflareWorkerOptions as configured } from "wrangler";

// ./local.mjs serves the assets of the build that it starts, so any directory does here.
const { workerOptions } = configured(process.argv[2], undefined, { overrides: { assets: { directory: "." } } });
console.log(JSON.stringify(workerOptions));

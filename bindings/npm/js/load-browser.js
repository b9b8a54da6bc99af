import load from "./rules.js";

await load({ module_or_path: new URL("./rules_bg.wasm", import.meta.url) });

// The package in a browser: the module is fetched from beside this file before any function can be called.
import "./load-browser.js";

export * from "./index.js";

// The package in Node: the module is read from its file.
import "./load-node.js";

export * from "./index.js";

// The list of nicknames, which takes more room than the wasm module has (rule Y2).
import list from "../core/src/similar/nicknames.txt";

export const nicknames = () => list;

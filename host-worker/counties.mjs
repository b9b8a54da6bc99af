// The names of counties, which take more room than the wasm module has (rule P22).
import list from "../core/src/county/counties.txt";

// Each line is a code and a name: `06037 Los Angeles County`.
const names = new Map(
  list
    .trimEnd()
    .split("\n")
    .map((line) => [line.slice(0, 5), line.slice(6)]),
);

/** The name of the county with this FIPS code. */
export const countyName = (fips) => names.get(fips);

// What is said of the rounds of a measurement.

/** The median, the lowest and the highest of some numbers. */
export function summary(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median, lowest: sorted[0], highest: sorted.at(-1) };
}

/** The mean of some numbers. */
export function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

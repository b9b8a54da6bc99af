// Tries pages of prospects from D1's read replicas on Cloudflare, which the local runtime does not have: imports prospects,
// waits until all are shown, erases one after another, reads a page after each, and says what it found. The account stays
// there, suspended, and of the prospects their source ids.
//
//     node host-worker/try-replicas.mjs https://matterbook-staging.SUBDOMAIN.workers.dev OPERATOR_TOKEN
import { SHOWN_MS_MAX, attempt } from "./try.mjs";

const PROSPECTS = 50;
const FIPS = "48261";

await attempt("try-replicas.mjs", async (service) => {
  const { id, path } = await service.makeAccount({ digital_bundle: true });
  await service.done("PUT", `${path}/counties/${FIPS}`, { from_date: "2026-01-01" });
  const { key } = await service.makeKey(path);
  const ours = new Set();
  const prospects = Array.from({ length: PROSPECTS }, (_, number) => ({
    source_id: `try-${id}-${number}`, last_name: "Sampleton", crash_date: "2026-01-02", crash_county_fips: FIPS,
  }));
  const { results } = await service.done("POST", "/prospects", { prospects });
  for (const { id: prospect } of results) ours.add(prospect);
  console.log(`Account ${id} and ${ours.size} prospects are made.`);
  const areShown = await service.areShown(key, [...ours]);
  let [late, missing] = [0, 0];
  for (const prospect of [...ours]) {
    await service.done("DELETE", `/prospects/${prospect}`);
    ours.delete(prospect);
    const page = await service.prospectIds(key);
    late += page.includes(prospect);
    missing += [...ours].some((other) => !page.includes(other));
  }
  await service.done("PATCH", path, { suspended: true });
  return [
    [areShown, `all prospects are shown within ${SHOWN_MS_MAX / 1000} seconds`],
    [late === 0, `no page shows a prospect that was erased before (${late} of ${PROSPECTS} do)`],
    [missing === 0, `no page lacks one that was not (${missing} of ${PROSPECTS} do)`],
  ];
});

// Tries several databases of prospects on Cloudflare: imports prospects of a county and a year whose crashes belong into a
// further database, and others of the year before, corrects some, erases one, and says what it found. The account stays
// there, suspended, and so do the prospects but for the erased one.
//
//     node host-worker/try-databases.mjs https://matterbook-staging.SUBDOMAIN.workers.dev OPERATOR_TOKEN 48261 2027
import { SHOWN_MS_MAX, attempt } from "./try.mjs";

const PROSPECTS = 20;

const work = async (service, fips, year) => {
  const { id, path } = await service.makeAccount({ digital_bundle: true });
  await service.done("PUT", `${path}/counties/${fips}`, { from_date: `${Number(year) - 1}-01-01` });
  const { key } = await service.makeKey(path);
  const dateOf = (number) => `${Number(year) - (number % 2)}-01-02`;
  const importOf = async (crashDate) => {
    const prospects = Array.from({ length: PROSPECTS }, (_, number) => ({
      source_id: `try-${id}-${number}`, last_name: "Sampleton", crash_date: crashDate(number), crash_county_fips: fips,
    }));
    return (await service.done("POST", "/prospects", { prospects })).results;
  };
  const idsOf = (results) => results.map((result) => result.id);
  const created = await importOf(dateOf);
  const isSame = (results) => String(idsOf(results)) === String(idsOf(created));
  console.log(`Account ${id} and ${created.length} prospects are made.`);
  const again = await importOf(dateOf);
  // Each belongs into the other database now, and stays where it is.
  const corrected = await importOf((number) => dateOf(number + 1));
  const areShown = await service.areShown(key, idsOf(created));
  const shown = await service.prospectIds(key);
  const [erased, ...others] = idsOf(created);
  await service.done("DELETE", `/prospects/${erased}`);
  const later = await service.prospectIds(key);
  const afterErasure = await importOf(dateOf);
  await service.done("PATCH", path, { suspended: true });
  return [
    [isSame(again), "the same import again creates none"],
    [isSame(corrected), "corrected ones keep their ids"],
    [areShown, `all prospects are shown within ${SHOWN_MS_MAX / 1000} seconds`],
    [new Set(shown).size === shown.length, "none is shown twice"],
    [!later.includes(erased) && others.every((other) => later.includes(other)), "the erased one is gone, and no other"],
    [!idsOf(afterErasure).includes(erased), "it does not come back"],
  ];
};

await attempt("try-databases.mjs", work, "COUNTY_FIPS", "YEAR");

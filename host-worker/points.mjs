// The points in time that the database of an account's object can be set back to (rule O40).

/** How far back Cloudflare goes. */
export const POINTS_MS = 30 * 24 * 60 * 60 * 1000;

/** What the local runtime says. */
export const NO_POINTS = /does not implement point-in-time recovery/;

/** The local runtime has no points in time. Tests put the files of a time into place themselves. */
const POINTS_OF_TESTS = {
  getBookmarkForTime: async (atMs) => `the bookmark of ${atMs}`,
  onNextSessionRestoreBookmark: async (bookmark) => console.log(`the next start is at ${bookmark}`),
};

/** What finds a point in time, and sets the database back to it. */
export const pointsOf = (storage, env) => (env.MATTERBOOK_TEST_POINTS ? POINTS_OF_TESTS : storage);

// How people sign in: by a link, and by a passkey.
import assert from "node:assert/strict";
import { inspect, person, tabTo } from "./browser.mjs";

export async function signIn({ page }, address) {
  await page.goto(address);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
}

/** A sign-in link shows a button, and only the button uses it up. */
export async function linkWorksOnce(browser, url, link, pictures) {
  const ana = await person(browser, url);
  const { page } = ana;
  await page.goto(link);
  await inspect(ana, "link", pictures);
  await page.goto(link);
  const button = page.getByRole("button", { name: "Sign in" });
  await tabTo(page, button);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  const [cookie] = await ana.context.cookies();
  const { httpOnly, secure, sameSite } = cookie;
  assert.deepEqual({ httpOnly, secure, sameSite }, { httpOnly: true, secure: true, sameSite: "Lax" });
  assert.match(cookie.name, /^__Host-/);

  const other = await person(browser, url);
  assert.equal((await other.page.goto(link)).status(), 403);
  await other.page.getByRole("heading", { name: "This link does not work" }).waitFor();
  await inspect(other, "link-over", pictures);
  await other.context.close();
  return ana;
}

/** A device that makes passkeys, in place of a fingerprint reader. */
async function device({ context, page }) {
  const client = await context.newCDPSession(page);
  await client.send("WebAuthn.enable");
  const options = { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true };
  const { authenticatorId } = await client.send("WebAuthn.addVirtualAuthenticator", { options });
  return { client, authenticatorId };
}

/** A person adds a passkey, signs out, and signs in with it. Passkeys are for names, not for addresses of numbers. */
export async function signsInWithPasskey(browser, url, path, pictures) {
  const named = url.replace("127.0.0.1", "localhost");
  const ana = await person(browser, named);
  const { page } = ana;
  await page.goto(`${named}/app/sign-in`);
  const { client, authenticatorId } = await device(ana);
  await signIn(ana, named + path);
  await page.getByRole("link", { name: "Signing in" }).click();
  await page.getByLabel("Name of the device").fill("Office laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("The passkey is added").waitFor();
  await page.getByRole("rowheader", { name: "Office laptop" }).waitFor();
  await inspect(ana, "passkeys-one", pictures);

  // The same device makes no second passkey, and the only one is not removed.
  await page.getByLabel("Name of the device").last().fill("Again");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("No passkey was made").waitFor();
  await page.getByText("Remove…").click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByText("this is your only passkey").waitFor();

  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  const button = page.getByRole("button", { name: "Sign in with a passkey" });
  await tabTo(page, button);
  await inspect(ana, "sign-in-passkey", pictures);
  await button.click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();

  // What a passkey signed for one browser signs nobody in from another.
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.evaluate(() => {
    HTMLFormElement.prototype.submit = function () { window.held = this.elements.credential.value; };
  });
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForFunction(() => window.held);
  const held = await page.evaluate(() => window.held);
  const thief = await person(browser, named);
  await thief.open("/app/sign-in");
  await thief.page.evaluate(async (credential) => {
    await fetch("/app/sign-in", { method: "POST", body: new URLSearchParams({ credential }) });
  }, held);
  await thief.open("/app");
  await thief.page.getByRole("heading", { name: "Sign in" }).waitFor();
  await thief.context.close();

  // Without its device there is no way in.
  await client.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await page.goto(`${named}/app/sign-in`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByText("The passkey was not used").waitFor();
  assert.deepEqual(ana.faults, []);
  await ana.context.close();
}

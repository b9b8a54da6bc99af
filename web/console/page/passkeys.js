// Passkeys: asks the browser for one, puts what it answers into the form, and sends the form.

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

const keys = [-7, -257, -8].map((alg) => ({ type: "public-key", alg }));

async function create({ challenge, host, user, known }, name) {
  const excludeCredentials = known.split(" ").filter(Boolean).map((id) => ({ type: "public-key", id: bytes(id) }));
  const { rawId, response } = await navigator.credentials.create({
    publicKey: {
      challenge: bytes(challenge),
      rp: { id: host, name: host },
      user: { id: bytes(user), name, displayName: name },
      pubKeyCredParams: keys,
      excludeCredentials,
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      timeout: 240_000,
    },
  });
  const { clientDataJSON, attestationObject } = response;
  const answered = { clientDataJSON: text(clientDataJSON), attestationObject: text(attestationObject) };
  return { rawId: text(rawId), response: answered };
}

async function get({ challenge, host }) {
  const { rawId, response } = await navigator.credentials.get({
    publicKey: { challenge: bytes(challenge), rpId: host, userVerification: "required", timeout: 240_000 },
  });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const answered = { clientDataJSON: text(clientDataJSON), authenticatorData: text(authenticatorData), signature: text(signature) };
  return { rawId: text(rawId), response: { ...answered, userHandle: userHandle && text(userHandle) } };
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  form.hidden = !window.PublicKeyCredential;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const fault = document.querySelector("[data-passkey-fault]");
    fault.hidden = true;
    try {
      const { passkey } = form.dataset;
      const who = document.querySelector("[data-login]")?.textContent ?? "";
      const credential = passkey === "create" ? await create(form.dataset, who) : await get(form.dataset);
      form.elements.credential_id.value = credential.rawId;
      form.elements.credential.value = JSON.stringify(credential);
      form.submit();
    } catch {
      fault.hidden = false;
    }
  });
}

// Shows the service's own description. The address is relative to the page, so that it also works behind a
// reverse proxy's prefix.
"use strict";
{
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const shade = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", shade);
  shade();

  SwaggerUIBundle({
    url: "openapi.json",
    dom_id: "#viewer",
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    // A key is forgotten with the page.
    persistAuthorization: false,
    // No address of a description is taken from the page's own address, and none is sent to a validator.
    queryConfigEnabled: false,
    validatorUrl: null,
    onComplete() {
      document.title = document.querySelector("#viewer .info h1")?.firstChild?.textContent ?? document.title;
    },
  });
}

// What pages do better with a script: times in the browser's zone, and buttons that copy.

const zone = new Intl.DateTimeFormat("en-US", {
  year: "numeric", month: "2-digit", day: "2-digit", hour: "numeric", minute: "2-digit",
});

for (const shown of document.querySelectorAll("time[datetime]")) {
  const at = new Date(shown.dateTime);
  if (!Number.isNaN(at.getTime())) shown.textContent = zone.format(at).replace(",", "");
}

for (const button of document.querySelectorAll("button[data-copies]")) {
  const source = document.getElementById(button.dataset.copies);
  button.hidden = !source || !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(source.textContent.trim());
    button.textContent = "Copied";
  });
}

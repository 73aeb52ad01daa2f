// Reads files that the user chooses or drops on the page.

async function hand(files, take) {
  const [file] = files;
  if (file) take(file.name, new Uint8Array(await file.arrayBuffer()));
}

/** Opens the browser's file dialog and passes the file's name and bytes to `take`. */
export function choose(kinds, take) {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = kinds;
  input.hidden = true;
  input.addEventListener("change", () => {
    hand(input.files, take);
    input.remove();
  });
  input.addEventListener("cancel", () => input.remove());
  document.body.append(input);
  input.click();
}

/** Passes the name and bytes of a file dropped on the page to `take`. */
export function onDrop(take) {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    hand(event.dataTransfer.files, take);
  });
}

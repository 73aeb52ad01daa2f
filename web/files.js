// Files that a person gives the page: chosen or dropped.

async function hand(files, take) {
  const [file] = files;
  if (file) take(file.name, new Uint8Array(await file.arrayBuffer()));
}

/** Has the browser ask for a file, and hands on its name and its bytes. */
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

/** Hands on each file that is dropped on the page. */
export function onDrop(take) {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    hand(event.dataTransfer.files, take);
  });
}

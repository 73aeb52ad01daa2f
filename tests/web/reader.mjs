// A screen reader's view of the page: the browser's accessibility tree, what it announces,
// and what a reader does to its nodes.

/** The accessibility tree of a table's page. */
export class Reader {
  /** Begins to read a page. */
  static async of(table) {
    const reader = new Reader();
    reader.page = table.page;
    reader.browser = await table.page.context().newCDPSession(table.page);
    await reader.browser.send("Accessibility.enable");
    await reader.page.evaluate(() => {
      window.treeChanges = 0;
      window.heard = [];
      const log = document.querySelector("[role=log][aria-live=polite]");
      const all = { subtree: true, childList: true, attributes: true, characterData: true };
      new MutationObserver((changes) => {
        window.treeChanges += 1;
        const added = changes.filter(({ target }) => target === log);
        for (const { addedNodes } of added) window.heard.push(...[...addedNodes].map((it) => it.textContent));
      }).observe(document.body, all);
    });
    return reader;
  }

  /** What each node tells that is not ignored, in the order in which they are read. */
  async nodes() {
    const { nodes } = await this.browser.send("Accessibility.getFullAXTree");
    const known = new Map(nodes.map((node) => [node.nodeId, node]));
    const told = ({ role, name, value, properties = [], backendDOMNodeId }) => ({
      role: role?.value,
      name: name?.value ?? "",
      value: value?.value,
      id: backendDOMNodeId,
      ...Object.fromEntries(properties.map(({ name, value }) => [name, value.value])),
    });
    const read = (node) => {
      const below = (node.childIds ?? []).flatMap((id) => (known.has(id) ? read(known.get(id)) : []));
      return node.ignored ? below : [told(node), ...below];
    };
    return read(nodes[0]);
  }

  /** What `look` finds in the tree, once it finds something. */
  async until(wanted, look) {
    for (;;) {
      const seen = await this.page.evaluate(() => window.treeChanges);
      const nodes = await this.nodes();
      const found = look(nodes);
      if (found) return found;
      // A change since then ends the wait at once.
      await this.page.waitForFunction((seen) => window.treeChanges !== seen, seen).catch(() => {
        const names = nodes.map(({ role, name }) => `${role} ${name}`).join("\n");
        throw new Error(`no ${wanted} in\n${names}`);
      });
    }
  }

  /** The first node of this role whose name begins so, once there is one. */
  find(role, name) {
    const isIt = (node) => node.role === role && node.name.startsWith(name);
    return this.until(`${role} ${name}`, (nodes) => nodes.find(isIt));
  }

  /** The name of the node that has the focus, once it begins so. */
  async focused(name) {
    const isIt = (node) => node.focused && node.role !== "RootWebArea" && node.name.startsWith(name);
    return (await this.until(`focus on ${name}`, (nodes) => nodes.find(isIt))).name;
  }

  /** Gives a node the focus. */
  async focus(role, name) {
    const { id } = await this.find(role, name);
    await this.browser.send("DOM.focus", { backendNodeId: id });
    return id;
  }

  /** Does to a node what a screen reader does: gives it the focus, and presses it. */
  async press(role, name) {
    const id = await this.focus(role, name);
    const { object } = await this.browser.send("DOM.resolveNode", { backendNodeId: id });
    await this.browser.send("Runtime.callFunctionOn", {
      objectId: object.objectId,
      functionDeclaration: "function () { this.click(); }",
    });
  }

  /** How often something was announced. */
  count() {
    return this.page.evaluate(() => window.heard.length);
  }

  /** Waits until something is announced that has these words, after the `since`-th time. */
  async hears(words, since) {
    const [source, flags] = [words.source, words.flags];
    await this.page
      .waitForFunction(
        ({ source, flags, since }) =>
          window.heard.slice(since).find((text) => new RegExp(source, flags).test(text)),
        { source, flags, since },
      )
      .catch(async () => {
        throw new Error(`${words} was not announced, but ${await this.page.evaluate(() => window.heard)}`);
      });
  }
}

// Each section of the page is a folder of its own with a function that fills it.

const modules = import.meta.glob("./*/index.js", { eager: true });

for (const [path, { mount }] of Object.entries(modules)) {
  mount(document.getElementById(path.split("/")[1]));
}

// The colours of style.css in the current scheme, light or dark.

/** Redraws whenever the scheme changes. @param {() => void} draw */
export function onSchemeChange(draw) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}

/** Returns the value of a custom property of the page, as a colour that a canvas accepts. @param {string} name */
export function color(name) {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

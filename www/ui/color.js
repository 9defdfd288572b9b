// The colours of style.css, for the scheme that holds.

/** Draws anew whenever another scheme, light or dark, begins to hold. */
export function onSchemeChange(draw) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}

/** The value of a custom property of the page, as a colour that a canvas takes. */
export function color(name) {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

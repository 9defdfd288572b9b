// Where the page runs, as far as a browser tells.

/** The browser's name and version, and its system. */
export function browserName() {
  const { userAgentData, userAgent, platform } = navigator;
  // One of the brands is made up, so that nobody relies on their order.
  const brand = userAgentData?.brands?.findLast(({ brand }) => !/not.*brand/i.test(brand));
  if (brand) return `${brand.brand} ${brand.version}, ${userAgentData.platform}`;
  const [, version] = /(?:Firefox|Version)\/([\d.]+)/.exec(userAgent) ?? [];
  const name = userAgent.includes("Firefox") ? "Firefox" : "Safari";
  return version ? `${name} ${version}, ${platform}` : userAgent;
}

/** Processor cores that the browser admits to. */
export const cores = () => navigator.hardwareConcurrency;

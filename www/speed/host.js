// Where the page runs, as far as a browser tells.

/** The browser's name and version, and its system. */
export function browserName() {
  const { userAgentData, userAgent } = navigator;
  const brand = userAgentData?.brands?.findLast(({ brand }) => !/not.*brand/i.test(brand));
  return brand ? `${brand.brand} ${brand.version}, ${userAgentData.platform}` : userAgent;
}

/** Processor cores that the browser admits to. */
export const cores = () => navigator.hardwareConcurrency;

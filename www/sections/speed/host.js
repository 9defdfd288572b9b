// Describes the browser, as far as it reveals that.

/** @typedef {{ platform: string, brands: { brand: string, version: string }[] }} UserAgentData of Chromium */

/** Names the browser, its version and the platform. */
export function browserName() {
  const { userAgentData, userAgent, platform } =
    /** @type {Navigator & { userAgentData?: UserAgentData }} */ (navigator);
  // Browsers list a made-up brand among theirs, at a random position.
  const brand = userAgentData?.brands?.findLast(({ brand }) => !/not.*brand/i.test(brand));
  if (brand) return `${brand.brand} ${brand.version}, ${userAgentData?.platform}`;
  const [, version] = /(?:Firefox|Version)\/([\d.]+)/.exec(userAgent) ?? [];
  const name = userAgent.includes("Firefox") ? "Firefox" : "Safari";
  return version ? `${name} ${version}, ${platform}` : userAgent;
}

/** Returns the number of processor cores that the browser reports. */
export const cores = () => navigator.hardwareConcurrency;

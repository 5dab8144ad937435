import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import type { LicenseType } from "@beatmarket/license-terms/license-types.ts";
import type { PublicLicense } from "../queries.ts";

/** The upgrades and renewals that the holder can buy. */
export interface HolderOffers {
  offers: readonly { licenseType: LicenseType; isRenewal: boolean; amountCents: number }[];
  currency: string;
}

export const upgradeStyle = `
.offers { display: flex; flex-wrap: wrap; gap: 12px; margin: 12px 0 }
.button { min-height: 44px; padding: 10px 16px; border: 1px solid #6a4fe0; border-radius: 8px; background: #5b3fd6; color: #fff; font: inherit;
  font-weight: 600; cursor: pointer }
.button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
`;

/** The section with upgrades and renewal. Each button adds one to the basket. */
export function upgradeSection({ id, claims }: PublicLicense, { offers, currency }: HolderOffers): string {
  if (offers.length === 0) return "";
  const isOnlyRenewal = offers.every(({ isRenewal }) => isRenewal);
  return `<section id="upgrade"><h2>${isOnlyRenewal ? "Renew" : "Upgrade"}</h2>
<p class="faint">This is your license. A higher one costs the difference: what you paid for this one counts.</p>
<div class="offers">
${offers
  .map(
    ({ licenseType, isRenewal, amountCents }) => `<form method="post" action="/basket">
<input type="hidden" name="beat_id" value="${claims.beat.id}"><input type="hidden" name="license_type" value="${licenseType}"><input type="hidden" name="price" value="${amountCents}"><input type="hidden" name="upgrades" value="${escapeHtml(id)}">
<button class="button">${isRenewal ? "Renew" : `Upgrade to ${licenseType}`}: pay ${escapeHtml(formatAmount(amountCents, currency))}${isRenewal ? "" : " more"}</button>
</form>`,
  )
  .join("\n")}
</div></section>`;
}

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { openTerms } from "@beatmarket/license-terms/open-terms.ts";
import { keyFile } from "@beatmarket/secret-box/secret-keys.ts";
import { type Config, requireServable } from "../../config.ts";
import { openTemplates } from "../../resources/mails/folder.ts";
import { ok, unused, type Verdict, warning, wrong } from "../../resources/operations/verdicts.ts";
import { openBrand } from "../../site/brand.ts";
import { openLegalTexts } from "../../site/legal.ts";
import { legalPages } from "../../site-settings.ts";
import type { Check } from "./check.ts";

/** A setting that is safe on a developer's machine, but not for a public service. */
interface UnsafeSetting {
  isUnsafe(config: Config): boolean;
  state: "warning" | "wrong";
  detail: string;
  remedy: string;
}

const unsafeSettings: readonly UnsafeSetting[] = [
  {
    isUnsafe: ({ publicUrl }) => publicUrl.startsWith("http:"),
    state: "wrong",
    detail: "PUBLIC_URL begins with http:, so links and keys travel in plain text.",
    remedy: "Set PUBLIC_URL to the https address.",
  },
  {
    isUnsafe: ({ webhookAllowPrivate }) => webhookAllowPrivate,
    state: "wrong",
    detail: "WEBHOOK_ALLOW_PRIVATE=on lets any account send requests into your private network.",
    remedy: "Remove WEBHOOK_ALLOW_PRIVATE.",
  },
  {
    isUnsafe: ({ stripe }) => stripe?.secretKey.includes("_test_") === true,
    state: "warning",
    detail: "STRIPE_SECRET_KEY is a test key, which moves no money.",
    remedy: "Set STRIPE_SECRET_KEY to the live key before you sell.",
  },
  {
    isUnsafe: ({ stripe }) => stripe === null,
    state: "warning",
    detail: "The payment sandbox completes orders without any money.",
    remedy: "Set STRIPE_SECRET_KEY before you sell.",
  },
  {
    isUnsafe: ({ stripe }) => stripe !== null && stripe.webhookSecret === undefined,
    state: "warning",
    detail: "STRIPE_WEBHOOK_SECRET is not set, so refunds and disputes at Stripe are seen late.",
    remedy: "Add the endpoint at Stripe, and set STRIPE_WEBHOOK_SECRET (docs/operating.md, Payments).",
  },
  {
    isUnsafe: ({ stripe }) => stripe?.apiBase !== undefined,
    state: "wrong",
    detail: "STRIPE_API_BASE sends payments to another server than Stripe's.",
    remedy: "Remove STRIPE_API_BASE, which is for tests.",
  },
  {
    isUnsafe: ({ mailFrom }) => /@beatmarket\.example\b/.test(mailFrom),
    state: "wrong",
    detail: "MAIL_FROM is an example address, which mail servers refuse.",
    remedy: "Set MAIL_FROM to an address of your domain, such as Beats <hello@example.com>.",
  },
  {
    isUnsafe: ({ tls, trustedProxies, host }) => tls.mode === "off" && trustedProxies === null && !isLoopback(host),
    state: "warning",
    detail: "TLS=off trusts every peer to say where a request comes from, and TRUSTED_PROXIES is not set.",
    remedy: "Set TRUSTED_PROXIES to the addresses of your proxy.",
  },
  {
    isUnsafe: ({ backup }) => backup.vault !== null && backup.key === undefined,
    state: "warning",
    detail: "BACKUP_KEY is not set, so everyone with access to the vault can read the database.",
    remedy: "Set BACKUP_KEY, and keep a copy of it elsewhere (docs/backups.md).",
  },
  {
    isUnsafe: ({ logLevel }) => logLevel === "silent",
    state: "warning",
    detail: "LOG_LEVEL=silent hides every error.",
    remedy: "Set LOG_LEVEL to warn or info.",
  },
];

const isLoopback = (host: string): boolean => /^(127\..*|::1|localhost)$/.test(host);

/** The state of the worst setting, with all unsafe settings in the text. */
function unsafe(config: Config, publicBy: string | null): Verdict {
  if (publicBy === null)
    return ok("The service is for this machine or a private network, where every setting is safe.");
  requireServable(config);
  const unsafeValues = unsafeSettings.filter(({ isUnsafe }) => isUnsafe(config));
  if (unsafeValues.length === 0) return ok(`${publicBy}, and no setting is unsafe for that.`);
  return {
    state: unsafeValues.some(({ state }) => state === "wrong") ? "wrong" : "warning",
    detail: unsafeValues.map(({ detail }) => detail).join(" "),
    remedy: unsafeValues.map(({ remedy }) => remedy).join(" "),
  };
}

async function secretKey({ secretKey, dataDir }: Config): Promise<Verdict> {
  if (secretKey !== undefined) return ok("SECRET_KEY is set.");
  const file = keyFile(dataDir);
  const stats = await stat(file).catch(() => null);
  if (stats === null) return unused(`There is no ${file} yet; the first start of a server makes it.`);
  if ((stats.mode & 0o077) !== 0)
    return wrong(`${file} can be read by other users of this machine.`, `Run: chmod 600 ${file}`);
  return ok(`The key is in ${file}, which only its owner reads.`);
}

async function texts({ licenseTerms, mails }: Config): Promise<Verdict> {
  const { version } = await openTerms(licenseTerms);
  await openTemplates(mails.templates);
  return ok(`Terms of licenses ${version}, templates of mails: ${mails.templates ?? "those of this repository"}.`);
}

async function pages({ site }: Config, publicBy: string | null): Promise<Verdict> {
  await openBrand(site);
  const legalTexts = await openLegalTexts(site);
  const missing = legalPages.filter(({ slug }) => legalTexts[slug] === null).map(({ path }) => path);
  if (missing.length === 0) return ok(`${site.name} has its terms, privacy and contact pages.`);
  const detail = `${missing.join(", ")} say only that the operator has not written them.`;
  const remedy = "Write them, and set SITE_PAGES to their folder (docs/operating.md, The pages of your site).";
  return publicBy === null ? unused(detail) : warning(detail, remedy);
}

const builtPortal = join(import.meta.dirname, "../../../../portal/dist/index.html");

const portal = async (): Promise<Verdict> =>
  (await stat(builtPortal).catch(() => null)) === null
    ? warning("The web app of the portal is not built.", "Run: node scripts/build-portal.mjs")
    : ok("The web app of the portal is built.");

export const settingsChecks: readonly Check[] = [
  { name: "settings", run: ({ config, publicBy }) => unsafe(config, publicBy) },
  { name: "secret key", run: ({ config }) => secretKey(config) },
  { name: "terms and templates", run: ({ config }) => texts(config) },
  { name: "name and pages", run: ({ config, publicBy }) => pages(config, publicBy) },
  { name: "web app", run: portal },
];

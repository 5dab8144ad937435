import { LoopRenderer } from "@beatmarket/audio/synthesizer/loop-renderer.ts";
import { DocumentPrinter } from "@beatmarket/documents/printer.ts";
import { openTerms } from "@beatmarket/license-terms/open-terms.ts";
import { boundsOf } from "@beatmarket/license-terms/terms.ts";
import { shortReads } from "@beatmarket/postgres/connection/short-reads.ts";
import { SigningKeys } from "@beatmarket/signing-keys/keys.ts";
import { DemoMasters, DemoPreviews } from "../../demo/previews.ts";
import { demoSource } from "../../demo/seed.ts";
import type { EditContext } from "../../resources/beats/publishing/own-beats.ts";
import { PlayCounter } from "../../resources/beats/write/plays.ts";
import { libraryUrl } from "../../resources/libraries/routes.ts";
import type { AnswerParts } from "../../resources/licenses/answers/ask.ts";
import {
  certificatePrinter,
  currentTermsVersion,
  issueLicense,
  type LicenseParts,
} from "../../resources/licenses/certificate.ts";
import { LicenseLog } from "../../resources/licenses/log/license-log.ts";
import { certifiedProof } from "../../resources/licenses/log/proof.ts";
import { recordTerms } from "../../resources/licenses/terms.ts";
import { openTemplates } from "../../resources/mails/folder.ts";
import { MailWatch, type SenderParts } from "../../resources/mails/outbox.ts";
import { preferencesUrl } from "../../resources/mails/unsubscribe.ts";
import type { CheckoutDependencies } from "../../resources/orders/checkout.ts";
import { currentOffers } from "../../resources/orders/current-offers.ts";
import { DownloadLinks } from "../../resources/orders/fulfilment/fulfilment.ts";
import { Fulfilments } from "../../resources/orders/fulfilment/fulfilments.ts";
import { RenditionWaits } from "../../resources/orders/fulfilment/renditions/renditions.ts";
import { openProviders } from "../../resources/orders/payments/open-providers.ts";
import { scratchFolders } from "../media-jobs.ts";
import type { ServiceScope } from "./scope.ts";

/** Opens publishing, buying and fulfilment: licenses, payments, renditions, links. */
export async function openShop(scope: ServiceScope) {
  const { config, database, objects, clock, documents, logger, portal, payments, waits, resources } = scope;
  const db = database.query;
  const printer = new DocumentPrinter(documents);
  resources.defer(() => printer.close());
  const licenseLog = new LicenseLog({
    db,
    clock,
    log: logger,
    publicUrl: config.publicUrl,
    files: () => objects.files,
    box: portal.webhooks.secrets,
  });
  const licenses = await openLicenses(printer, licenseLog, scope);
  const providers = await openProviders(db, config.stripe, clock);
  const checkout: CheckoutDependencies = {
    db,
    clock,
    log: logger,
    payments: payments ?? providers.payments,
    currency: config.currency,
    commissionBasisPoints: config.commissionBasisPoints,
    seller: config.seller,
    publicUrl: config.publicUrl,
    termsVersion: currentTermsVersion(licenses),
    objects,
  };
  const links = new DownloadLinks({ publicUrl: config.publicUrl, secrets: portal.webhooks.secrets });
  const renditions = new RenditionWaits(db);
  await renditions.follow(database);
  waits.defer(() => renditions.stop());
  // With the demo catalogue, a beat without a preview uses a rendered loop, which is also the recording.
  const loops = portal.demoEmail === null ? null : new LoopRenderer();
  resources.defer(() => loops?.close());
  const demo = loops === null ? null : { db, loops, objects, scratch: licenses.scratch };
  const publishing: EditContext = {
    db,
    clock,
    publicUrl: config.publicUrl,
    allowsDuplicates: config.allowsDuplicates,
    licenseBounds: boundsOf(licenses.terms),
  };
  const offer = { termsVersion: checkout.termsVersion, generatedSource: loops === null ? null : demoSource };
  const answers: AnswerParts = {
    currency: config.currency,
    publicUrl: config.publicUrl,
    reads: shortReads(database.reader),
    offersOf: (server, license, asUpgrade) => currentOffers(server, license, { ...offer, asUpgrade }),
  };
  const plays = new PlayCounter(db, clock);
  resources.defer(async () => {
    await plays.flush().catch((error) => logger.warn({ err: error }, "the last plays were not counted"));
  });
  const mails: SenderParts = {
    db,
    clock,
    log: logger,
    mailer: portal.mailer,
    ...(portal.recordMails !== undefined && { record: portal.recordMails }),
    brand: config.mails.brand,
    texts: await openTemplates(config.mails.templates),
    libraryUrl: (email, at) => libraryUrl({ checkout, secrets: portal.webhooks.secrets }, email, at),
    unsubscribeUrl: (userId) => preferencesUrl(config.publicUrl, portal.webhooks.secrets, userId),
  };
  return {
    mails,
    mailWatch: new MailWatch(),
    licenses,
    printer,
    answers,
    licenseLog,
    stripe: providers.stripe,
    checkout,
    links,
    renditions,
    fulfilments: new Fulfilments({
      db,
      clock,
      publicUrl: config.publicUrl,
      links,
      renditions,
      masters: demo === null ? null : new DemoMasters(demo),
      issueLicense: (facts) => issueLicense(db, licenses, facts),
    }),
    loops,
    previews: demo === null ? null : new DemoPreviews(demo),
    publishing,
    plays,
  };
}

async function openLicenses(
  printer: DocumentPrinter,
  licenseLog: LicenseLog,
  { config, database, objects, clock, portal }: ServiceScope,
): Promise<LicenseParts> {
  const terms = await openTerms(config.licenseTerms);
  await recordTerms(database.query, terms, new Date(clock.nowMs()));
  return {
    clock,
    publicUrl: config.publicUrl,
    terms,
    keys: new SigningKeys(database.query, portal.webhooks.secrets),
    printer: certificatePrinter(printer),
    proofOf: (server, orderId) => certifiedProof(server, licenseLog, orderId),
    objects,
    scratch: scratchFolders(config.dataDir),
    issuing: new Map(),
  };
}

import type { CatalogueQueries } from "@beatmarket/catalogue-index/query.ts";
import { apiHeaders, apiPrefixes } from "@beatmarket/http/pipeline/api-route.ts";
import { framedRoutes } from "@beatmarket/http/pipeline/framed-routes.ts";
import type { Area } from "@beatmarket/http/pipeline/route.ts";
import { caFileForCallers } from "@beatmarket/http/tls/ca-file.ts";
import type { CallLog } from "@beatmarket/request-log/call-log.ts";
import type { Tus } from "@beatmarket/resumable-uploads/tus.ts";
import { SigningKeys } from "@beatmarket/signing-keys/keys.ts";
import type { TSchema } from "typebox";
import examples from "../../../contract/examples.json" with { type: "json" };
import { permittedAccount } from "../access/account.ts";
import type { ReadServer } from "../database/connect.ts";
import { demoSource } from "../demo/seed.ts";
import { agentRoute } from "../mcp/routes.ts";
import { freeDownloadFile, invoiceFileRoutes } from "../media/linked-files.ts";
import { mediaRoutes } from "../media/media.ts";
import { OrderDownloads, orderFileRoutes } from "../media/order-files.ts";
import { chimeStandIn } from "../media/stand-in.ts";
import { profilePictureRoutes, uploadMediaRoutes } from "../media/upload-files.ts";
import { type HealthParts, healthRoutes } from "../metrics/health.ts";
import { diskFolders } from "../metrics/storage.ts";
import { apiVersion, connectionTo, openApiDocument } from "../openapi/document.ts";
import { ServedDocuments } from "../openapi/served-documents.ts";
import type { DocumentedEvent } from "../openapi/webhooks.ts";
import { accountExport } from "../portal/account/data-routes.ts";
import { rejectsFile } from "../portal/admin/import-routes.ts";
import { bankFileRoute } from "../portal/admin/payout-routes.ts";
import { callsFile } from "../portal/calls/routes.ts";
import { statementFiles } from "../portal/earnings/routes.ts";
import { invoiceFiles } from "../portal/invoices/routes.ts";
import { KeyProposals } from "../portal/keys/proposals.ts";
import { portalRoutes } from "../portal/portal.ts";
import { portalHeaders } from "../portal/route.ts";
import { salesFile } from "../portal/sales/routes.ts";
import { freeDownloadsFile } from "../portal/studio/free-downloads.ts";
import { webAppRoutes } from "../portal/web-app.ts";
import { referenceRoutes } from "../reference/reference.ts";
import type { BeatCatalogue } from "../resources/beats/catalogue/beat-catalogue.ts";
import type { EditContext } from "../resources/beats/publishing/own-beats.ts";
import { beatRoutes } from "../resources/beats/routes.ts";
import {
  BeatTakedown,
  BeatUpdated,
  BeatWithdrawal,
  ExclusiveSale,
  PublishingFailure,
  ReferenceBeat,
} from "../resources/beats/schema.ts";
import { type ChangeFeed, changeRoutes } from "../resources/changes/routes.ts";
import { settleByKey } from "../resources/checkouts/checkout-watch.ts";
import { checkoutPageRoutes } from "../resources/checkouts/page/routes.ts";
import { checkoutRoutes } from "../resources/checkouts/routes.ts";
import { ContactLimits } from "../resources/contacts/messages.ts";
import type { EventFeed } from "../resources/events/feed.ts";
import { eventRoutes } from "../resources/events/routes.ts";
import type { EventStreams } from "../resources/events/streams.ts";
import type { Exports } from "../resources/exports/exports.ts";
import { Downloads, exportRoutes } from "../resources/exports/routes.ts";
import { favoriteRoutes } from "../resources/favorites/favorites.ts";
import { followRoutes } from "../resources/follows/follows.ts";
import { freeDownloadRoutes } from "../resources/free-downloads/routes.ts";
import { genreRoutes } from "../resources/genres/genres.ts";
import { libraryRoutes } from "../resources/libraries/routes.ts";
import type { AnswerParts } from "../resources/licenses/answers/ask.ts";
import { licenseAnswerRoutes } from "../resources/licenses/answers/routes.ts";
import { licenseRoutes } from "../resources/licenses/routes.ts";
import { SignedStatusLists } from "../resources/licenses/status/list.ts";
import { licenseUsageRoutes } from "../resources/licenses/usage/routes.ts";
import { LicenseUsageReached } from "../resources/licenses/usage/schema.ts";
import { mailPreferenceRoutes } from "../resources/mails/unsubscribe.ts";
import type { CheckoutDependencies } from "../resources/orders/checkout.ts";
import type { Fulfilments } from "../resources/orders/fulfilment/fulfilments.ts";
import { fulfilmentRoutes, type SendArchive } from "../resources/orders/fulfilment/routes.ts";
import { type InvoiceParts, invoiceRoutes } from "../resources/orders/invoices/routes.ts";
import { paymentMode } from "../resources/orders/payments/open-providers.ts";
import { paymentPageRoutes } from "../resources/orders/payments/page/routes.ts";
import { stripeWebhook } from "../resources/orders/payments/stripe/webhook.ts";
import { LicenseUpgrade, orderRoutes, upgradeRoutes } from "../resources/orders/routes.ts";
import { salesRoutes } from "../resources/orders/sales/routes.ts";
import { OrderFailure, OrderRefund, Purchase } from "../resources/orders/schema.ts";
import { findUpgrades } from "../resources/orders/upgrade.ts";
import { PayoutSchema } from "../resources/payouts/events.ts";
import { playlistRoutes } from "../resources/playlists/routes.ts";
import { requestRoutes } from "../resources/request-log/routes.ts";
import type { SandboxControl, TriggerEvent } from "../resources/sandboxes/control.ts";
import { sandboxRoutes } from "../resources/sandboxes/routes.ts";
import { searchRoutes } from "../resources/search/routes.ts";
import { UploadSchema } from "../resources/uploads/present.ts";
import { uploadRoutes } from "../resources/uploads/routes.ts";
import { sessionTusRoutes, tusCapabilities } from "../resources/uploads/tus-routes.ts";
import { ProfileSchema, UserUpdated } from "../resources/users/present.ts";
import { userRoutes } from "../resources/users/routes.ts";
import { type EventType, events, eventTypes } from "../resources/webhooks/event-types.ts";
import { apiCatalogRoutes, wellKnownRoutes } from "../site/api-catalog.ts";
import { basketRoutes } from "../site/basket/routes.ts";
import { branded, brandRoutes, frameFor } from "../site/brand.ts";
import { changelogRoutes } from "../site/changelog.ts";
import { embedRoutes } from "../site/embeds/routes.ts";
import { favoriteRoutes as favoritePageRoutes } from "../site/favorites/routes.ts";
import { legalRoutes } from "../site/legal.ts";
import { producerRoutes } from "../site/producers/routes.ts";
import { reportRoutes } from "../site/reports.ts";
import { languageRoutes, siteRoutes } from "../site/routes.ts";
import { sitemapRoutes } from "../site/sitemap/routes.ts";
import { statusRoutes } from "../site/status/routes.ts";
import { scratchFolders } from "./media-jobs.ts";
import { eventTrigger } from "./sandboxes/trigger.ts";
import type { AppParts } from "./services/scope.ts";
import type { Services } from "./services.ts";

/** The schema of each event's `data`, from the resource that emits it. */
const data: Record<EventType, TSchema> = {
  "beat.created": ReferenceBeat,
  "beat.updated": BeatUpdated,
  "beat.withdrawn": BeatWithdrawal,
  "beat.taken_down": BeatTakedown,
  "beat.sold_exclusively": ExclusiveSale,
  "beat.purchased": Purchase,
  "order.refunded": OrderRefund,
  "order.failed": OrderFailure,
  "license.upgraded": LicenseUpgrade,
  "license.usage": LicenseUsageReached,
  "upload.ready": UploadSchema,
  "upload.rejected": UploadSchema,
  "beat.publishing_failed": PublishingFailure,
  "payout.sent": PayoutSchema,
  "payout.paid": PayoutSchema,
  "payout.failed": PayoutSchema,
  "user.registered": ProfileSchema,
  "user.updated": UserUpdated,
};

/** The events as the OpenAPI document describes them. */
export const apiEvents: readonly DocumentedEvent[] = eventTypes.map((type) => ({
  type,
  ...events[type],
  data: data[type],
}));

/** The dependencies of the API's routes. */
export interface ApiParts {
  beatsOn: (server: ReadServer) => BeatCatalogue;
  index: CatalogueQueries;
  publishing: EditContext;
  checkout: CheckoutDependencies;
  fulfilments: Fulfilments;
  sendArchive: SendArchive;
  invoices: InvoiceParts;
  answers: AnswerParts;
  changes: ChangeFeed;
  events: EventFeed;
  eventStreams: EventStreams;
  exports: Exports;
  tus: Tus;
  /** The storage limit of an account of plan standard. */
  standardBytes: number;
  /** Null outside of the test mode of an account. */
  sandboxes: SandboxControl | null;
  triggerEvent: TriggerEvent;
  callLog: CallLog;
}

/** The operation table: every resource of the API. */
export const apiRoutes = ({
  beatsOn,
  index,
  publishing,
  checkout,
  fulfilments,
  sendArchive,
  invoices,
  answers,
  changes,
  events,
  eventStreams,
  exports,
  tus,
  standardBytes,
  sandboxes,
  triggerEvent,
  callLog,
}: ApiParts) => [
  ...beatRoutes(beatsOn, index, publishing),
  ...userRoutes,
  ...genreRoutes,
  ...searchRoutes(beatsOn, index),
  ...orderRoutes(checkout),
  ...checkoutRoutes(checkout),
  ...salesRoutes,
  ...fulfilmentRoutes(fulfilments, sendArchive),
  ...invoiceRoutes(invoices),
  ...licenseAnswerRoutes(answers),
  ...licenseUsageRoutes(answers),
  ...upgradeRoutes(checkout),
  ...favoriteRoutes(beatsOn),
  ...followRoutes,
  ...playlistRoutes(beatsOn),
  ...uploadRoutes(tus, standardBytes),
  ...changeRoutes(changes),
  ...eventRoutes(events, eventStreams),
  ...requestRoutes(callLog),
  ...exportRoutes(new Downloads(exports)),
  ...sandboxRoutes(sandboxes, triggerEvent),
];

/** All areas that the process serves: the API, the portal's routes, and the public pages and files. */
export function servedAreas(
  { config, database, objects, clock, portal, backups, sandbox, sandboxServer }: AppParts,
  services: Services,
  { isStopping, metrics }: { isStopping: () => boolean; metrics: HealthParts["metrics"] },
): Area[] {
  const { checkout, accounts, rateLimits, stripe, plays, loops, concurrency, index, tus, transfers } = services;
  const downloads = new OrderDownloads({
    db: database.query,
    clock,
    log: checkout.log,
    concurrency,
    objects,
    links: services.links,
    transfers,
  });
  const contacts = { db: database.query, clock, publicUrl: config.publicUrl, limits: new ContactLimits(clock) };
  const api = apiRoutes({
    ...services,
    sendArchive: (context, orderId) => downloads.archive(context, orderId),
    invoices: { db: database.query, clock, links: services.links },
    sandboxes: sandbox?.control ?? null,
    triggerEvent: eventTrigger({ ...services, objects, scratch: scratchFolders(config.dataDir) }),
  });
  const connection = connectionTo(config.publicUrl, config.tls.mode === "own" ? caFileForCallers(config) : undefined);
  const documents = new ServedDocuments(examples, (recorded, version) =>
    openApiDocument(api, apiEvents, recorded, { site: services.brand.name, connection }, version),
  );
  // The account of a request for media. An account may read the media of its own unpublished beats.
  const findAccount = async (headers: Headers) => {
    const account = await accounts.find(headers, () => {});
    return account && permittedAccount(account, "studio:read");
  };
  const { demoEmail, mailsAreFiles, webhooks, folder } = portal;
  const earnings = {
    currency: config.currency,
    clearingDays: config.payoutClearingDays,
    commissionBasisPoints: config.commissionBasisPoints,
    publicUrl: config.publicUrl,
  };
  const sitePages = {
    server: database,
    beatsOn: services.beatsOn,
    index,
    reads: services.publicReads,
    readAssets: services.readAssets,
    connection,
    publicUrl: config.publicUrl,
    currency: config.currency,
    termsVersion: checkout.termsVersion,
    clock,
    generatedSource: loops === null ? null : demoSource,
  };
  return [
    {
      prefixes: apiPrefixes,
      routes: [...api, ...tusCapabilities(tus)],
      fallback: {
        access: { by: "key", permission: null },
        headers: apiHeaders,
        notFound: (path) => `There is nothing at ${path}. The endpoints are listed at /openapi.json.`,
      },
    },
    {
      prefixes: ["/portal/api"],
      routes: [
        ...portalRoutes({
          accounts,
          permissionOf: new Map(
            api.flatMap(({ operationId, permission }) => (permission === null ? [] : [[operationId, permission]])),
          ),
          rateLimits,
          callLog: services.callLog,
          proposals: new KeyProposals(() => webhooks.secrets.sessionSecrets, sandbox?.id ?? null),
          attempts: services.attempts,
          keySecrets: () => webhooks.secrets.sessionSecrets,
          publicUrl: config.publicUrl,
          baseUrl: connection.baseUrl,
          caFile: connection.caFile ?? null,
          payments: paymentMode(config.stripe),
          demoEmail,
          mailsAreFiles,
          hasTestMode: sandboxServer !== undefined,
          webhooks,
          studio: {
            publishing: services.publishing,
            currency: config.currency,
            standardBytes: services.standardBytes,
          },
          market: {
            beatsOn: services.beatsOn,
            checkout,
            generatedSource: loops === null ? null : demoSource,
          },
          library: { fulfilments: services.fulfilments, publicUrl: config.publicUrl, answers: services.answers },
          contact: { contacts, checkout },
          earnings,
          sandboxes: sandbox?.control ?? null,
          admin: {
            rateLimits,
            callLog: services.callLog,
            publicUrl: config.publicUrl,
            notify: (write) => services.mailQueue.notify(write),
            checkout,
            payouts: { ...earnings, debtor: config.payoutDebtor, hasStripe: stripe !== null },
            overview: {
              folders: diskFolders(config),
              limits: services.sharedLimits,
              backups: backups?.state ?? null,
            },
          },
        }),
        callsFile(services.callLog),
        salesFile,
        ...statementFiles(earnings, services.printer),
        ...invoiceFiles(services.printer),
        bankFileRoute(config.payoutDebtor),
        freeDownloadsFile,
        rejectsFile,
        accountExport(accounts, demoEmail),
        ...sessionTusRoutes(tus, portalHeaders),
      ],
      fallback: {
        access: { by: "session", required: false },
        headers: portalHeaders,
        notFound: (path) => `There is nothing at ${path}.`,
      },
    },
    {
      prefixes: [""],
      routes: [
        ...siteRoutes({ ...sitePages, api }),
        ...producerRoutes(sitePages),
        ...favoritePageRoutes({
          ...sitePages,
          concurrency,
          findAccount: (headers) => accounts.find(headers, () => {}),
        }),
        ...sitemapRoutes(sitePages),
        ...reportRoutes({
          db: database.query,
          clock,
          publicUrl: config.publicUrl,
          concurrency,
          readAssets: services.readAssets,
        }),
        ...embedRoutes({ ...sitePages, site: services.brand.name }),
        ...basketRoutes({
          checkout,
          concurrency,
          catalogue: services.catalogue,
          findAccount: (headers) => accounts.find(headers, () => {}),
          readAssets: services.readAssets,
        }),
        ...brandRoutes(services.brand, folder),
        ...languageRoutes({ db: database.query, findAccount }),
        ...legalRoutes({ ...sitePages, texts: services.legal, site: services.brand.name }),
        documents.route("/openapi.json"),
        documents.route("/explorer/openapi.json"),
        ...referenceRoutes(documents.first, folder, services.brand),
        ...statusRoutes({ publicUrl: config.publicUrl, site: services.brand.name, watch: services.status }),
        ...changelogRoutes({ ...sitePages, api, site: services.brand.name }),
        ...apiCatalogRoutes({ publicUrl: config.publicUrl, site: services.brand.name, version: apiVersion }),
        ...wellKnownRoutes({ publicUrl: config.publicUrl, clock }),
        agentRoute({
          publicUrl: config.publicUrl,
          currency: config.currency,
          version: apiVersion,
          folder,
          secrets: () => webhooks.secrets.sessionSecrets,
        }),
        ...mediaRoutes({
          db: database.query,
          clock,
          concurrency,
          objects,
          standIn: services.previews ?? chimeStandIn,
          transfers,
          findAccount,
          onPlay: (beatId, address) => plays.add(beatId, address),
        }),
        ...orderFileRoutes(downloads),
        ...invoiceFileRoutes({ clock, links: services.links, printer: services.printer }),
        ...uploadMediaRoutes({ db: database.query, clock, concurrency, objects, findAccount, transfers }),
        ...profilePictureRoutes({ db: database.query, concurrency, objects, transfers }),
        ...framedRoutes(frameFor(services.brand), [
          ...licenseRoutes({
            ownOffers: async (headers, license) => {
              const owner = await accounts.find(headers, () => {});
              const account = owner && permittedAccount(owner, "orders:write");
              if (account?.userId !== license.holderId) return null;
              const { currency } = config;
              const now = new Date(clock.nowMs());
              return { ...(await findUpgrades(database.query, license, { currency, now })), currency };
            },
            db: database.query,
            clock,
            publicUrl: config.publicUrl,
            concurrency,
            licenseLog: services.licenseLog,
            statusLists: new SignedStatusLists({
              db: database.query,
              clock,
              publicUrl: config.publicUrl,
              keys: new SigningKeys(database.query, webhooks.secrets),
            }),
          }),
          ...mailPreferenceRoutes({ db: database.query, secrets: webhooks.secrets }),
          ...paymentPageRoutes({ checkout, concurrency }),
          ...checkoutPageRoutes({
            checkout,
            fulfilments: services.fulfilments,
            concurrency,
            catalogue: services.catalogue,
          }),
          ...libraryRoutes({
            checkout,
            secrets: webhooks.secrets,
            fulfilments: services.fulfilments,
            printer: services.printer,
            concurrency,
            contacts,
          }),
          ...freeDownloadRoutes({ checkout, concurrency, findAccount: (headers) => accounts.find(headers, () => {}) }),
        ]),
        freeDownloadFile({ db: database.query, clock, concurrency, objects, transfers }),
        ...webAppRoutes(folder, (html) => branded(html, services.brand)),
        ...healthRoutes({
          db: database.query,
          clock,
          metrics,
          metricsToken: config.metricsToken,
          isIndexReady: () => index.isStarted,
          isStorageThere: async () => {
            await services.storagePresence.check();
            return !services.storagePresence.isWrongPlace;
          },
          isStopping,
          sharedLimits: services.sharedLimits,
        }),
        ...(stripe !== null && config.stripe?.webhookSecret !== undefined
          ? [stripeWebhook({ stripe, settlement: checkout, settleCheckout: (key) => settleByKey(checkout, key) })]
          : []),
      ],
      fallback: {
        access: { by: "anyone" },
        notFound: (path) => `There is nothing at ${path}. The API is under /v1, its reference at /explorer.`,
      },
    },
  ];
}

import { createRootRoute, createRoute, createRouter, notFound, redirect } from "@tanstack/react-router";
import { loadChunk } from "./api/load-chunk.ts";
import { queryClient } from "./api/query-client.ts";
import { parseSearch, stringifySearch } from "./api/search-params.ts";
import { sessionQuery } from "./api/session.ts";
import { nextSearch } from "./pages/account/next-search.ts";
import {
  readAccountsSearch,
  readAdminCallsSearch,
  readAuditSearch,
  readBeatsSearch,
  readErrorsSearch,
  readFleetSearch,
  readOrdersSearch,
  readPayoutsSearch,
  readReportsSearch,
} from "./pages/admin/admin-search.ts";
import { readAnalyticsSearch } from "./pages/analytics/analytics-search.ts";
import { readDeviceSearch } from "./pages/device/device-search.ts";
import { readExplorerSearch } from "./pages/explorer/explorer-search.ts";
import { readKeysSearch } from "./pages/keys/keys-search.ts";
import { readLibrarySearch } from "./pages/library/library-search.ts";
import { readCallSearch } from "./pages/log/call-search.ts";
import { readCatalogueSearch } from "./pages/market/catalogue-search.ts";
import { readOfferSearch } from "./pages/market/offer-search.ts";
import { readSalesSearch } from "./pages/sales/sales-search.ts";
import { readBeatId, readFreeDownloadsSearch, readStudioSearch } from "./pages/studio/studio-search.ts";
import { deliveriesSearch, doctorSearch, readId } from "./pages/webhooks/webhooks-search.ts";
import { PageFailure, PageMissing, PagePending } from "./shell/fallbacks.tsx";
import { Frame } from "./shell/frame.tsx";
import { lazyPage } from "./shell/lazy-page.ts";
import { Root } from "./shell/root.tsx";
import { SignedIn } from "./shell/signed-in.tsx";

// The route table. Every page is a separate chunk. The navigation is in shell/navigation.tsx.

const root = createRootRoute({ component: Root, notFoundComponent: PageMissing });

/** Pages in the frame, open to everyone. */
const frame = createRoute({ getParentRoute: () => root, id: "frame", component: Frame });

/** Pages in the frame that need a session. Without one they redirect to the sign-in page, which returns to them. */
const signedIn = createRoute({
  getParentRoute: () => frame,
  id: "signed-in",
  beforeLoad: async ({ location }) => {
    const { account } = await queryClient.ensureQueryData(sessionQuery);
    if (account === null) throw redirect({ to: "/sign-in", search: { next: location.href } });
  },
  component: SignedIn,
});

const home = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  component: lazyPage(() => import("./pages/home/home-page.tsx"), "HomePage"),
});
const keys = createRoute({
  getParentRoute: () => signedIn,
  path: "/keys",
  validateSearch: readKeysSearch,
  component: lazyPage(() => import("./pages/keys/keys-page.tsx"), "KeysPage"),
});
const sandboxes = createRoute({
  getParentRoute: () => signedIn,
  path: "/sandboxes",
  component: lazyPage(() => import("./pages/sandboxes/sandboxes-page.tsx"), "SandboxesPage"),
});
const device = createRoute({
  getParentRoute: () => signedIn,
  path: "/device",
  validateSearch: readDeviceSearch,
  component: lazyPage(() => import("./pages/device/device-page.tsx"), "DevicePage"),
});
const log = createRoute({
  getParentRoute: () => signedIn,
  path: "/log",
  validateSearch: readCallSearch,
  component: lazyPage(() => import("./pages/log/log-page.tsx"), "LogPage"),
});
const analytics = createRoute({
  getParentRoute: () => signedIn,
  path: "/analytics",
  validateSearch: readAnalyticsSearch,
  component: lazyPage(() => import("./pages/analytics/analytics-page.tsx"), "AnalyticsPage"),
});
const webhooks = createRoute({
  getParentRoute: () => signedIn,
  path: "/webhooks",
  component: lazyPage(() => import("./pages/webhooks/webhooks-page.tsx"), "WebhooksPage"),
});
const webhookDoctor = createRoute({
  getParentRoute: () => signedIn,
  path: "/webhooks/doctor",
  validateSearch: doctorSearch,
  component: lazyPage(() => import("./pages/webhooks/doctor/doctor-page.tsx"), "DoctorPage"),
});
const webhookDelivery = createRoute({
  getParentRoute: () => signedIn,
  path: "/webhooks/deliveries/$deliveryId",
  params: { parse: ({ deliveryId }) => ({ deliveryId: readId(deliveryId) }) },
  component: lazyPage(() => import("./pages/webhooks/deliveries/delivery-page.tsx"), "DeliveryPage"),
});
const webhookEndpoint = createRoute({
  getParentRoute: () => signedIn,
  path: "/webhooks/$endpointId",
  params: { parse: ({ endpointId }) => ({ endpointId: readId(endpointId) }) },
  validateSearch: deliveriesSearch,
  component: lazyPage(() => import("./pages/webhooks/endpoints/endpoint-page.tsx"), "EndpointPage"),
});
const market = createRoute({
  getParentRoute: () => frame,
  path: "/market",
  validateSearch: readCatalogueSearch,
  component: lazyPage(() => import("./pages/market/catalogue-page.tsx"), "CataloguePage", "market"),
});
const marketBeat = createRoute({
  getParentRoute: () => frame,
  path: "/market/beats/$beatId",
  params: { parse: ({ beatId }) => ({ beatId: readBeatId(beatId) }) },
  validateSearch: readOfferSearch,
  component: lazyPage(() => import("./pages/market/beat-page.tsx"), "BeatPage", "market"),
});
const library = createRoute({
  getParentRoute: () => signedIn,
  path: "/library",
  validateSearch: readLibrarySearch,
  component: lazyPage(() => import("./pages/library/library-page.tsx"), "LibraryPage", "library"),
});
const receipt = createRoute({
  getParentRoute: () => signedIn,
  path: "/library/$orderId/receipt",
  params: { parse: ({ orderId }) => ({ orderId: readId(orderId) }) },
  component: lazyPage(() => import("./pages/library/receipt-page.tsx"), "ReceiptPage", "library"),
});
const libraryLicense = createRoute({
  getParentRoute: () => signedIn,
  path: "/library/$orderId/license",
  params: { parse: ({ orderId }) => ({ orderId: readId(orderId) }) },
  component: lazyPage(() => import("./pages/library/license/license-page.tsx"), "LibraryLicensePage", "library"),
});
const libraryContact = createRoute({
  getParentRoute: () => signedIn,
  path: "/library/$orderId/contact",
  params: { parse: ({ orderId }) => ({ orderId: readId(orderId) }) },
  component: lazyPage(() => import("./pages/library/contact-page.tsx"), "LibraryContactPage", "library"),
});
const saleContact = createRoute({
  getParentRoute: () => signedIn,
  path: "/sales/orders/$orderId",
  params: { parse: ({ orderId }) => ({ orderId: readId(orderId) }) },
  component: lazyPage(() => import("./pages/sales/sale-contact-page.tsx"), "SaleContactPage", "sales"),
});
const sales = createRoute({
  getParentRoute: () => signedIn,
  path: "/sales",
  validateSearch: readSalesSearch,
  component: lazyPage(() => import("./pages/sales/sales-page.tsx"), "SalesPage", "sales"),
});
const earnings = createRoute({
  getParentRoute: () => signedIn,
  path: "/earnings",
  component: lazyPage(() => import("./pages/earnings/earnings-page.tsx"), "EarningsPage", "sales"),
});
const studio = createRoute({
  getParentRoute: () => signedIn,
  path: "/studio",
  validateSearch: readStudioSearch,
  component: lazyPage(() => import("./pages/studio/studio-page.tsx"), "StudioPage", "studio"),
});
const downloads = createRoute({
  getParentRoute: () => signedIn,
  path: "/studio/free-downloads",
  validateSearch: readFreeDownloadsSearch,
  component: lazyPage(() => import("./pages/studio/free-downloads-page.tsx"), "FreeDownloadsPage", "studio"),
});
const discounts = createRoute({
  getParentRoute: () => signedIn,
  path: "/studio/discounts",
  component: lazyPage(() => import("./pages/studio/discounts/discounts-page.tsx"), "DiscountsPage", "studio"),
});
const newBeat = createRoute({
  getParentRoute: () => signedIn,
  path: "/studio/uploads/$uploadId",
  component: lazyPage(() => import("./pages/studio/new-beat-page.tsx"), "NewBeatPage", "studio"),
});
const beat = createRoute({
  getParentRoute: () => signedIn,
  path: "/studio/beats/$beatId",
  params: { parse: ({ beatId }) => ({ beatId: readBeatId(beatId) }) },
  component: lazyPage(() => import("./pages/studio/beat-page.tsx"), "BeatPage", "studio"),
});
const explorer = createRoute({
  getParentRoute: () => frame,
  path: "/explorer",
  validateSearch: readExplorerSearch,
  component: lazyPage(() => import("./pages/explorer/explorer-page.tsx"), "ExplorerPage"),
});
const account = createRoute({
  getParentRoute: () => signedIn,
  path: "/account",
  component: lazyPage(() => import("./pages/account/settings/profile-page.tsx"), "ProfilePage", "account"),
});
const accountSecurity = createRoute({
  getParentRoute: () => signedIn,
  path: "/account/security",
  component: lazyPage(() => import("./pages/account/settings/security-page.tsx"), "SecurityPage", "account"),
});
const accountSessions = createRoute({
  getParentRoute: () => signedIn,
  path: "/account/sessions",
  component: lazyPage(() => import("./pages/account/settings/sessions-page.tsx"), "SessionsPage", "account"),
});
const accountData = createRoute({
  getParentRoute: () => signedIn,
  path: "/account/data",
  component: lazyPage(() => import("./pages/account/settings/data-page.tsx"), "DataPage", "account"),
});
const accountLog = createRoute({
  getParentRoute: () => signedIn,
  path: "/account/log",
  component: lazyPage(() => import("./pages/account/settings/log-page.tsx"), "LogPage", "account"),
});
const organisation = createRoute({
  getParentRoute: () => signedIn,
  path: "/organisation",
  component: lazyPage(() => import("./pages/organisation/organisation-page.tsx"), "OrganisationPage", "account"),
});

const docs = createRoute({
  getParentRoute: () => frame,
  path: "/docs",
  component: lazyPage(() => import("./pages/docs/docs-page.tsx"), "DocsPage"),
});
const loadGuide = async (path: string) => (await loadChunk(() => import("./pages/docs/documents.ts"))).loadGuide(path);
const guide = createRoute({
  getParentRoute: () => frame,
  path: "/docs/$page",
  loader: ({ params }) => loadGuide(`/docs/${params.page}`),
  component: lazyPage(() => import("./pages/docs/guide-page.tsx"), "GuidePage"),
});
const apiGuide = createRoute({
  getParentRoute: () => frame,
  path: "/docs/api/$page",
  loader: ({ params }) => loadGuide(`/docs/api/${params.page}`),
  component: lazyPage(() => import("./pages/docs/guide-page.tsx"), "GuidePage"),
});
const clientGuide = createRoute({
  getParentRoute: () => frame,
  path: "/docs/clients/$page",
  loader: ({ params }) => loadGuide(`/docs/clients/${params.page}`),
  component: lazyPage(() => import("./pages/docs/guide-page.tsx"), "GuidePage"),
});
/** The operators' pages, about all accounts. For other users they are "not found". */
const operators = createRoute({
  getParentRoute: () => signedIn,
  id: "operators",
  beforeLoad: async () => {
    const { account } = await queryClient.ensureQueryData(sessionQuery);
    if (account?.operator !== true) throw notFound();
  },
});
const adminOverview = createRoute({
  getParentRoute: () => operators,
  path: "/admin",
  component: lazyPage(() => import("./pages/admin/overview/overview-page.tsx"), "OverviewPage"),
});
const adminAccounts = createRoute({
  getParentRoute: () => operators,
  path: "/admin/accounts",
  validateSearch: readAccountsSearch,
  component: lazyPage(() => import("./pages/admin/accounts/accounts-page.tsx"), "AccountsPage"),
});
const adminAccount = createRoute({
  getParentRoute: () => operators,
  path: "/admin/accounts/$userId",
  params: { parse: ({ userId }) => ({ userId: readId(userId) }) },
  component: lazyPage(() => import("./pages/admin/accounts/account-page.tsx"), "AdminAccountPage"),
});
const adminBeats = createRoute({
  getParentRoute: () => operators,
  path: "/admin/beats",
  validateSearch: readBeatsSearch,
  component: lazyPage(() => import("./pages/admin/beats/admin-beats-page.tsx"), "AdminBeatsPage"),
});
const adminOrders = createRoute({
  getParentRoute: () => operators,
  path: "/admin/orders",
  validateSearch: readOrdersSearch,
  component: lazyPage(() => import("./pages/admin/orders/orders-page.tsx"), "AdminOrdersPage"),
});
const adminOrder = createRoute({
  getParentRoute: () => operators,
  path: "/admin/orders/$orderId",
  params: { parse: ({ orderId }) => ({ orderId: readId(orderId) }) },
  component: lazyPage(() => import("./pages/admin/orders/order-page.tsx"), "AdminOrderPage"),
});
const adminReports = createRoute({
  getParentRoute: () => operators,
  path: "/admin/reports",
  validateSearch: readReportsSearch,
  component: lazyPage(() => import("./pages/admin/reports/admin-reports-page.tsx"), "AdminReportsPage"),
});
const adminPayouts = createRoute({
  getParentRoute: () => operators,
  path: "/admin/payouts",
  validateSearch: readPayoutsSearch,
  component: lazyPage(() => import("./pages/admin/payouts/payouts-page.tsx"), "AdminPayoutsPage"),
});
const adminWebhooks = createRoute({
  getParentRoute: () => operators,
  path: "/admin/webhooks",
  validateSearch: readFleetSearch,
  component: lazyPage(() => import("./pages/admin/webhooks/fleet-page.tsx"), "FleetPage"),
});
const adminCalls = createRoute({
  getParentRoute: () => operators,
  path: "/admin/calls",
  validateSearch: readAdminCallsSearch,
  component: lazyPage(() => import("./pages/admin/calls/admin-calls-page.tsx"), "AdminCallsPage"),
});
const adminCall = createRoute({
  getParentRoute: () => operators,
  path: "/admin/calls/$callId",
  params: { parse: ({ callId }) => ({ callId: readId(callId) }) },
  component: lazyPage(() => import("./pages/admin/calls/admin-call-page.tsx"), "AdminCallPage"),
});
const adminErrors = createRoute({
  getParentRoute: () => operators,
  path: "/admin/errors",
  validateSearch: readErrorsSearch,
  component: lazyPage(() => import("./pages/admin/calls/errors-page.tsx"), "ErrorsPage"),
});
const adminImports = createRoute({
  getParentRoute: () => operators,
  path: "/admin/imports",
  component: lazyPage(() => import("./pages/admin/imports/imports-page.tsx"), "ImportsPage"),
});
const adminImport = createRoute({
  getParentRoute: () => operators,
  path: "/admin/imports/$runId",
  params: { parse: ({ runId }) => ({ runId: readId(runId) }) },
  component: lazyPage(() => import("./pages/admin/imports/import-page.tsx"), "ImportPage"),
});
const adminAudit = createRoute({
  getParentRoute: () => operators,
  path: "/admin/audit",
  validateSearch: readAuditSearch,
  component: lazyPage(() => import("./pages/admin/audit/admin-audit-page.tsx"), "AdminAuditPage"),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: nextSearch,
  component: lazyPage(() => import("./pages/account/sign-in-page.tsx"), "SignInPage", "account"),
});
const register = createRoute({
  getParentRoute: () => root,
  path: "/register",
  validateSearch: nextSearch,
  component: lazyPage(() => import("./pages/account/register-page.tsx"), "RegisterPage", "account"),
});
const confirm = createRoute({
  getParentRoute: () => root,
  path: "/confirm",
  validateSearch: nextSearch,
  component: lazyPage(() => import("./pages/account/confirm-page.tsx"), "ConfirmPage", "account"),
});
const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: "/confirm-email",
  component: lazyPage(() => import("./pages/account/confirm-email-page.tsx"), "ConfirmEmailPage", "account"),
});
const undoEmail = createRoute({
  getParentRoute: () => root,
  path: "/undo-email",
  component: lazyPage(() => import("./pages/account/undo-email-page.tsx"), "UndoEmailPage", "account"),
});
const claim = createRoute({
  getParentRoute: () => root,
  path: "/claim",
  component: lazyPage(() => import("./pages/account/claim-page.tsx"), "ClaimPage", "account"),
});
const join = createRoute({
  getParentRoute: () => root,
  path: "/join",
  component: lazyPage(() => import("./pages/account/join-page.tsx"), "JoinPage", "account"),
});
const forgot = createRoute({
  getParentRoute: () => root,
  path: "/forgot-password",
  validateSearch: nextSearch,
  component: lazyPage(() => import("./pages/account/forgot-page.tsx"), "ForgotPage", "account"),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: "/reset-password",
  validateSearch: nextSearch,
  component: lazyPage(() => import("./pages/account/reset-page.tsx"), "ResetPage", "account"),
});

/** A page with every component. It exists only in development (`npx vite portal`). */
const inDevelopment = !import.meta.env.DEV
  ? []
  : [
      createRoute({
        getParentRoute: () => root,
        path: "/components",
        component: lazyPage(() => import("./pages/components/components-page.tsx"), "ComponentsPage"),
      }),
    ];

export const router = createRouter({
  basepath: "/portal",
  parseSearch,
  stringifySearch,
  routeTree: root.addChildren([
    frame.addChildren([
      explorer,
      docs,
      guide,
      apiGuide,
      clientGuide,
      market,
      marketBeat,
      signedIn.addChildren([
        home,
        keys,
        sandboxes,
        device,
        log,
        analytics,
        webhooks,
        webhookDoctor,
        webhookDelivery,
        webhookEndpoint,
        library,
        receipt,
        libraryContact,
        libraryLicense,
        saleContact,
        sales,
        earnings,
        studio,
        downloads,
        discounts,
        newBeat,
        beat,
        account,
        accountSecurity,
        accountSessions,
        accountData,
        accountLog,
        organisation,
        operators.addChildren([
          adminOverview,
          adminAccounts,
          adminAccount,
          adminBeats,
          adminOrders,
          adminOrder,
          adminReports,
          adminPayouts,
          adminWebhooks,
          adminCalls,
          adminCall,
          adminErrors,
          adminImports,
          adminImport,
          adminAudit,
        ]),
      ]),
    ]),
    signIn,
    register,
    confirm,
    confirmEmail,
    undoEmail,
    claim,
    join,
    forgot,
    reset,
    ...inDevelopment,
  ]),
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  // Loaders only load documents of this release. A document that was open before opens again without the server.
  defaultGcTime: Number.POSITIVE_INFINITY,
  defaultPendingComponent: PagePending,
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

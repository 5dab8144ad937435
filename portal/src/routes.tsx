import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { loadChunk } from "./api/load-chunk.ts";
import { queryClient } from "./api/query-client.ts";
import { parseSearch, searchParams, stringifySearch } from "./api/search-params.ts";
import { sessionQuery } from "./api/session.ts";
import { readAnalyticsSearch } from "./pages/analytics/analytics-search.ts";
import { readExplorerSearch } from "./pages/explorer/explorer-search.ts";
import { readLibrarySearch } from "./pages/library/library-search.ts";
import { readCallSearch } from "./pages/log/call-search.ts";
import { readMarketSearch } from "./pages/market/market-search.ts";
import { readSalesSearch } from "./pages/sales/sales-search.ts";
import { readBeatId, readStudioSearch } from "./pages/studio/studio-search.ts";
import { deliveriesSearch, doctorSearch, readId } from "./pages/webhooks/webhooks-search.ts";
import { PageFailure, PageMissing, PagePending } from "./shell/fallbacks.tsx";
import { Frame } from "./shell/frame.tsx";
import { Root } from "./shell/root.tsx";
import { SignedIn } from "./shell/signed-in.tsx";

// The route table. Every page is a chunk of its own. The navigation is shell/navigation.tsx.

const root = createRootRoute({ component: Root, notFoundComponent: PageMissing });

/** A page that is loaded when it is first shown. */
const lazyPage: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadChunk(load), name);

/** Pages in the frame, open to everyone. */
const frame = createRoute({ getParentRoute: () => root, id: "frame", component: Frame });

/** Pages in the frame that need a session. Redirects to the sign-in page, which leads back. */
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
  component: lazyPage(() => import("./pages/keys/keys-page.tsx"), "KeysPage"),
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
  getParentRoute: () => signedIn,
  path: "/market",
  validateSearch: readMarketSearch,
  component: lazyPage(() => import("./pages/market/market-page.tsx"), "MarketPage"),
});
const library = createRoute({
  getParentRoute: () => signedIn,
  path: "/library",
  validateSearch: readLibrarySearch,
  component: lazyPage(() => import("./pages/library/library-page.tsx"), "LibraryPage"),
});
const sales = createRoute({
  getParentRoute: () => signedIn,
  path: "/sales",
  validateSearch: readSalesSearch,
  component: lazyPage(() => import("./pages/sales/sales-page.tsx"), "SalesPage"),
});
const studio = createRoute({
  getParentRoute: () => signedIn,
  path: "/studio",
  validateSearch: readStudioSearch,
  component: lazyPage(() => import("./pages/studio/studio-page.tsx"), "StudioPage"),
});
const newBeat = createRoute({
  getParentRoute: () => signedIn,
  path: "/studio/uploads/$uploadId",
  component: lazyPage(() => import("./pages/studio/new-beat-page.tsx"), "NewBeatPage"),
});
const beat = createRoute({
  getParentRoute: () => signedIn,
  path: "/studio/beats/$beatId",
  params: { parse: ({ beatId }) => ({ beatId: readBeatId(beatId) }) },
  component: lazyPage(() => import("./pages/studio/beat-page.tsx"), "BeatPage"),
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
  component: lazyPage(() => import("./pages/account/account-page.tsx"), "AccountPage"),
});

/** The path to open after signing in. Only paths of the portal: an absolute URL would be an open redirect. */
const nextSearch = searchParams<{ next?: string }>({
  next: (path) => (/^\/(?![/\\])/.test(path) ? path : undefined),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: nextSearch,
  component: lazyPage(() => import("./pages/account/sign-in-page.tsx"), "SignInPage"),
});
const register = createRoute({
  getParentRoute: () => root,
  path: "/register",
  validateSearch: nextSearch,
  component: lazyPage(() => import("./pages/account/register-page.tsx"), "RegisterPage"),
});
const confirm = createRoute({
  getParentRoute: () => root,
  path: "/confirm",
  component: lazyPage(() => import("./pages/account/confirm-page.tsx"), "ConfirmPage"),
});
const claim = createRoute({
  getParentRoute: () => root,
  path: "/claim",
  component: lazyPage(() => import("./pages/account/claim-page.tsx"), "ClaimPage"),
});
const forgot = createRoute({
  getParentRoute: () => root,
  path: "/forgot-password",
  component: lazyPage(() => import("./pages/account/forgot-page.tsx"), "ForgotPage"),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: "/reset-password",
  component: lazyPage(() => import("./pages/account/reset-page.tsx"), "ResetPage"),
});

/** In development alone, `npx vite portal`: every component on one page. */
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
      signedIn.addChildren([
        home,
        keys,
        log,
        analytics,
        webhooks,
        webhookDoctor,
        webhookDelivery,
        webhookEndpoint,
        market,
        library,
        sales,
        studio,
        newBeat,
        beat,
        account,
      ]),
    ]),
    signIn,
    register,
    confirm,
    claim,
    forgot,
    reset,
    ...inDevelopment,
  ]),
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: PagePending,
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

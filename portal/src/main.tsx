import "@fontsource-variable/geist";
import "@fontsource-variable/geist-mono";
import "@mantine/core/styles.css";
import "./tokens.css";
import "./main.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { watchConnection } from "./api/connection.ts";
import { queryClient } from "./api/query-client.ts";
import { router } from "./routes.tsx";
import { cssVariablesResolver, theme } from "./shell/theme.ts";

watchConnection();

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root.");
const removeOpening = router.subscribe("onRendered", () => {
  document.querySelector(".opening")?.remove();
  removeOpening();
});
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);

import { lazyRouteComponent } from "@tanstack/react-router";
import { loadChunk } from "../api/load-chunk.ts";

/** A page that is loaded when it is first shown. */
export const lazyPage: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadChunk(load), name);

import { ApiError, notFound } from "@beatmarket/foundation/errors.ts";
import { clientNetwork } from "@beatmarket/http/admission/client-network.ts";
import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { privatePageHeaders } from "@beatmarket/http/html-page.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { requireOwnForm } from "../../access/own-origin.ts";
import {
  findReportable,
  type ReportableBeat,
  ReportLimits,
  type ReportParts,
  reportBeat,
} from "../../resources/reports/report-beat.ts";
import type { ReadAssets } from "../assets.ts";
import { refusalPage } from "../failure-page.ts";
import { siteDocument } from "../html/document.ts";
import { type ReportForm, reportedMain, reportMain } from "./html.ts";

/** A text of 2,000 characters, each of which may take twelve bytes of a form. */
const maxBodyBytes = 26_000;
const nothingGiven = { reason: "", details: "", email: "" };

export interface ReportRouteParts extends ReportParts {
  concurrency: Pick<ConcurrencyLimiter, "run">;
  readAssets: ReadAssets;
}

/** `/beats/{id}/report`: anyone reports a beat to the operator, without an account and without scripts. */
export function reportRoutes(parts: ReportRouteParts): Route[] {
  const { db, concurrency, readAssets } = parts;
  const limits = new ReportLimits(parts.clock);
  const path = "/beats/:beat_id/report";

  async function find({ params }: RequestContext): Promise<ReportableBeat> {
    const id = /^[1-9]\d{0,8}$/.exec(params.beat_id ?? "")?.[0];
    const beat = id === undefined ? undefined : await findReportable(db, Number(id));
    if (beat === undefined) throw notFound("Only a beat that has a page can be reported.");
    return beat;
  }

  async function page(status: number, title: string, main: string): Promise<HttpResponse> {
    const { representation, headers } = siteDocument(await readAssets(), { title, canonical: null, main });
    return {
      status,
      headers: { ...headers, ...privatePageHeaders, "content-type": representation.contentType },
      body: representation.body,
    };
  }

  const formPage = (status: number, form: ReportForm) => page(status, `Report ${form.beat.title}`, reportMain(form));

  async function send(context: RequestContext, beat: ReportableBeat): Promise<HttpResponse> {
    requireOwnForm(context.requestHeaders, context.publicUrl);
    const fields = new URLSearchParams(context.body?.toString("utf8"));
    const field = (name: string) => fields.get(name) ?? "";
    const given = { reason: field("reason"), details: field("details"), email: field("email") };
    try {
      const network = clientNetwork(context.clientAddress);
      await reportBeat({ ...parts, limits }, { beatId: beat.id, network, ...given });
      return page(200, "Thank you", reportedMain(beat));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      const shown = await formPage(error.status, { beat, problem: error.details, given });
      return { ...shown, headers: { ...error.headers, ...shown.headers } };
    }
  }

  const serve = (respond: (context: RequestContext, beat: ReportableBeat) => Promise<HttpResponse>) => {
    const work = async (context: RequestContext) => {
      try {
        return await respond(context, await find(context));
      } catch (error) {
        return refusalPage(readAssets, error, "No such beat");
      }
    };
    return (context: RequestContext) => concurrency.run("page", () => work(context), context.receivedMs);
  };

  return [
    openRoute(
      path,
      serve((_, beat) => formPage(200, { beat, problem: null, given: nothingGiven })),
      { isVital: true },
    ),
    openRoute(path, serve(send), { method: "POST", bodyLimits: { maxBytes: maxBodyBytes } }),
  ];
}

import { tempoBounds } from "@beatmarket/audio/analysis/tempo/tempo-ranges.ts";
import { maxTextLength } from "@beatmarket/http/input/read-text.ts";
import Type from "typebox";
import type { Config } from "../../config.ts";
import { usualPrices } from "../../resources/beats/licensing/licenses.ts";
import { changeLicenseDefaults } from "../../resources/beats/licensing/settings.ts";
import type { SingleBeat } from "../../resources/beats/production.ts";
import { changeBeat } from "../../resources/beats/publishing/change-beat.ts";
import {
  createBeat,
  createBeatsOfUploads,
  UploadsToBeats,
  UploadsToBeatsResponse,
} from "../../resources/beats/publishing/create-beat.ts";
import {
  changeDraftDefaults,
  DraftDefaults,
  findDraftDefaults,
} from "../../resources/beats/publishing/draft-defaults.ts";
import {
  BeatEdits,
  BeatEditsResponse,
  changeAllLicenses,
  editBeats,
} from "../../resources/beats/publishing/edit-beats.ts";
import {
  countOwnBeats,
  type EditContext,
  findOwnBeat,
  listOwnBeats,
  unknownBeat,
} from "../../resources/beats/publishing/own-beats.ts";
import { BeatChanges, BeatFields } from "../../resources/beats/publishing/schema.ts";
import { withdrawBeat } from "../../resources/beats/publishing/withdraw-beat.ts";
import { BeatId } from "../../resources/beats/schema.ts";
import { findReach } from "../../resources/beats/write/plays.ts";
import { listGenres } from "../../resources/genres/genres.ts";
import { counterReport } from "../../resources/reports/decide.ts";
import { answerTakedown } from "../../resources/takedowns/take-down.ts";
import { storageFields, UploadId } from "../../resources/uploads/present.ts";
import { findUpload, listUploads, retryUpload } from "../../resources/uploads/queries.ts";
import { storageUse } from "../../resources/uploads/storage-use.ts";
import { type PortalRoute, portalRoute, type SignedInCall } from "../route.ts";
import { discountRoutes } from "./discounts.ts";
import { freeDownloadsRoute } from "./free-downloads.ts";
import {
  BeatReach,
  LicenseDefaults,
  LicenseDefaultsResponse,
  ownBeat,
  StudioBeat,
  StudioBeats,
  StudioBeatsQuery,
  StudioOptions,
  StudioUploadResponse,
  StudioUploads,
  studioBeat,
  studioUpload,
} from "./schema.ts";

export interface StudioParts {
  publishing: EditContext;
  currency: Config["currency"];
  /** The number of bytes that an account of plan standard may store. */
  standardBytes: number;
}

const tag = "Studio";
const beatsPerPage = 20;
const maxUploadsShown = 100;

/**
 * The account's uploads and beats. Browsers send the bytes of uploads by the tus protocol (packages/resumable-uploads).
 */
export const studioRoutes = ({ publishing, currency, standardBytes }: StudioParts): PortalRoute[] => {
  const { publicUrl } = publishing;
  const beatJson = (beat: SingleBeat) =>
    studioBeat(publishing.db, beat, { publicUrl, now: new Date(publishing.clock.nowMs()) });
  return [
    portalRoute({
      operationId: "getStudioOptions",
      permission: "studio:read",
      method: "GET",
      path: "/studio/options",
      tag,
      summary: "Get what a beat can have: genres, the currency, and how prices follow from the basic price",
      response: StudioOptions,
      handle: async ({ db, account }) => ({
        license_bounds: publishing.licenseBounds,
        draft_defaults: await findDraftDefaults(db, account.userId),
        genres: (await listGenres(db)).map(({ id, name }) => ({ id, name, octave: tempoBounds(name) })),
        currency,
        price_rule: {
          premium_percent: usualPrices.premiumPercent,
          unlimited_percent: usualPrices.unlimitedPercent,
          exclusive_percent: usualPrices.exclusivePercent,
          ending_cents: usualPrices.endingCents,
        },
      }),
    }),
    portalRoute({
      operationId: "listStudioUploads",
      permission: "studio:read",
      method: "GET",
      path: "/studio/uploads",
      tag,
      summary: "List the account's uploads that no beat uses",
      response: StudioUploads,
      handle: async ({ db, clock, account }) => {
        const request = { userId: account.userId, isUnused: true, page: 1, limit: maxUploadsShown };
        const now = new Date(clock.nowMs());
        const { items } = await listUploads(db, request, now);
        const storage = await storageUse(db, { userId: account.userId, now, standardBytes });
        return { uploads: items.map(studioUpload), storage: storageFields(storage) };
      },
    }),
    portalRoute({
      operationId: "getStudioUpload",
      permission: "studio:read",
      method: "GET",
      path: "/studio/uploads/:upload_id",
      tag,
      summary: "Get the state of an upload and the results of its analysis",
      params: UploadId,
      response: StudioUploadResponse,
      handle: async ({ db, clock, account, params }) => ({
        upload: studioUpload(await findUpload(db, account.userId, params.upload_id, new Date(clock.nowMs()))),
      }),
    }),
    portalRoute({
      operationId: "retryStudioUpload",
      permission: "studio:write",
      method: "POST",
      path: "/studio/uploads/:upload_id/retry",
      tag,
      summary: "Analyse an upload again that was rejected because of an error of the service",
      params: UploadId,
      response: StudioUploadResponse,
      refusals: [409],
      handle: async ({ db, clock, account, params }) => ({
        upload: studioUpload(await retryUpload(db, account.userId, params.upload_id, new Date(clock.nowMs()))),
      }),
    }),
    portalRoute({
      operationId: "listStudioBeats",
      permission: "studio:read",
      method: "GET",
      path: "/studio/beats",
      tag,
      summary: "List the account's beats in every state, newest first",
      query: StudioBeatsQuery,
      response: StudioBeats,
      handle: async ({ db, account, query }) => {
        const [beats, counts] = await Promise.all([
          listOwnBeats(db, { ...query, userId: account.userId, limit: beatsPerPage }),
          countOwnBeats(db, account.userId),
        ]);
        return {
          beats: beats.items.map((beat) => ownBeat(beat, publishing.publicUrl)),
          frozen: beats.items.flatMap(({ id, exclusive_state: exclusive }) =>
            exclusive === "available" ? [] : [{ beat_id: id, exclusive }],
          ),
          taken_down: beats.items.filter(({ is_taken_down }) => is_taken_down).map(({ id }) => id),
          page: beats.page,
          last_page: beats.lastPage,
          counts,
        };
      },
    }),
    freeDownloadsRoute,
    ...discountRoutes(currency),
    portalRoute({
      operationId: "counterReport",
      permission: "studio:write",
      method: "POST",
      path: "/studio/reports/:report_id/counter",
      tag,
      summary: "Counter the notice of a report, once and before the deadline; all operators get it by mail",
      params: Type.Object({ report_id: Type.Integer({ description: "Identifier of the report." }) }),
      body: Type.Object({ text: Type.String({ minLength: 1, maxLength: maxTextLength }) }),
      response: StudioBeat,
      refusals: [409],
      handle: async ({ db, clock, account: { userId }, params: { report_id: reportId }, body, author }) => {
        const { beat_id } = await counterReport(
          { db, clock, publicUrl },
          { reportId, userId, text: body.text, author },
        );
        const beat = await findOwnBeat(db, beat_id, userId);
        if (beat === undefined) throw unknownBeat(beat_id);
        return beatJson(beat);
      },
    }),
    portalRoute({
      operationId: "answerTakedown",
      permission: "studio:write",
      method: "POST",
      path: "/studio/beats/:beat_id/takedown-answer",
      tag,
      summary: "Answer a takedown, once; all operators get the answer by mail",
      params: BeatId,
      body: Type.Object({ text: Type.String({ minLength: 1, maxLength: maxTextLength }) }),
      response: StudioBeat,
      refusals: [409],
      handle: async ({ db, clock, account: { userId }, params: { beat_id: beatId }, body }) => {
        await answerTakedown({ db, clock, publicUrl }, { beatId, userId, text: body.text });
        const beat = await findOwnBeat(db, beatId, userId);
        if (beat === undefined) throw unknownBeat(beatId);
        return beatJson(beat);
      },
    }),
    portalRoute({
      operationId: "changeLicenseDefaults",
      permission: "studio:write",
      method: "PUT",
      path: "/studio/license-defaults",
      tag,
      summary: "Set which licenses the account's new beats sell, or those of all its beats",
      body: LicenseDefaults,
      response: LicenseDefaultsResponse,
      refusals: [409],
      changesContent: () => true,
      handle: async ({ db, clock, account, body, requestId }) => {
        const change = { settings: body.license_settings, hasFreeDownload: body.free_download };
        const now = new Date(clock.nowMs());
        await changeLicenseDefaults(db, account.userId, change, { bounds: publishing.licenseBounds, now });
        return body.apply_to_all
          ? changeAllLicenses(publishing, { userId: account.userId, requestId }, change)
          : { changed: 0, frozen: [] };
      },
    }),
    portalRoute({
      operationId: "changeDraftDefaults",
      permission: "studio:write",
      method: "PUT",
      path: "/studio/defaults",
      tag,
      summary: "Set the defaults of the account's new drafts: prices, licenses, genre, tags and the tag of previews",
      body: DraftDefaults,
      response: DraftDefaults,
      handle: async ({ db, account, body }) => {
        await changeDraftDefaults(publishing, account.userId, body);
        return findDraftDefaults(db, account.userId);
      },
    }),
    portalRoute({
      operationId: "makeBeatsOfUploads",
      permission: "studio:write",
      method: "POST",
      path: "/studio/new-beats",
      tag,
      summary:
        "Create a beat of each upload from the account's defaults; the response has a result or a reason for each",
      body: UploadsToBeats,
      response: UploadsToBeatsResponse,
      handle: ({ account, body }) => createBeatsOfUploads(publishing, account.userId, body),
    }),
    portalRoute({
      operationId: "editStudioBeats",
      permission: "studio:write",
      method: "POST",
      path: "/studio/beats/edits",
      tag,
      summary: "Edit many beats; the response has for each the result or a reason, and the edit that undoes it",
      body: BeatEdits,
      response: BeatEditsResponse,
      changesContent: () => true,
      handle: ({ account, body, requestId }) =>
        editBeats(publishing, { userId: account.userId, requestId }, body.edits),
    }),
    portalRoute({
      operationId: "createStudioBeat",
      permission: "studio:write",
      method: "POST",
      path: "/studio/beats",
      tag,
      summary: "Create a draft from an upload, or publish it at once",
      body: BeatFields,
      status: 201,
      response: StudioBeat,
      refusals: [409],
      idempotent: true,
      handle: async ({ account, body, idempotencyRun }) =>
        beatJson(await createBeat(publishing, { userId: account.userId, run: idempotencyRun, fields: body })),
    }),
    portalRoute({
      operationId: "getStudioBeat",
      permission: "studio:read",
      method: "GET",
      path: "/studio/beats/:beat_id",
      tag,
      summary: "Get one of the account's beats, with its files",
      params: BeatId,
      response: StudioBeat,
      handle: async (call) => beatJson(await requireOwn(call)),
    }),
    portalRoute({
      operationId: "getBeatReach",
      permission: "studio:read",
      method: "GET",
      path: "/studio/beats/:beat_id/reach",
      tag,
      summary: "Get the plays and sales of one of the account's beats by day, for the last 30 days",
      params: BeatId,
      response: BeatReach,
      handle: async (call) => {
        await requireOwn(call);
        return findReach(call.db, call.params.beat_id, new Date(call.clock.nowMs()));
      },
    }),
    portalRoute({
      operationId: "changeStudioBeat",
      permission: "studio:write",
      method: "PATCH",
      path: "/studio/beats/:beat_id",
      tag,
      summary: "Change a beat, publish it, or put it on sale again; with If-Match, only if it has not changed since",
      params: BeatId,
      body: BeatChanges,
      response: StudioBeat,
      refusals: [409, 412],
      idempotent: true,
      changesContent: () => true,
      handle: async (call) => {
        await requireOwn(call);
        return beatJson(await changeBeat(publishing, changeOf(call), call.body));
      },
    }),
    portalRoute({
      operationId: "withdrawStudioBeat",
      permission: "studio:write",
      method: "DELETE",
      path: "/studio/beats/:beat_id",
      tag,
      summary: "Take a beat off sale; a beat that was never on sale is deleted",
      params: BeatId,
      status: 204,
      response: Type.Void(),
      refusals: [409, 412],
      idempotent: true,
      changesContent: () => true,
      handle: async (call) => {
        await requireOwn(call);
        await withdrawBeat(publishing, changeOf(call));
      },
    }),
  ];
};

type BeatCall = Pick<
  SignedInCall<{ beat_id: number }, unknown, unknown>,
  "db" | "account" | "params" | "headers" | "requestId" | "idempotencyRun"
>;

/**
 * Throws 404 for a beat that does not exist or belongs to another account. The API returns 403 for another account's
 * public beat.
 */
async function requireOwn({ db, account, params }: BeatCall): Promise<SingleBeat> {
  const beat = await findOwnBeat(db, params.beat_id, account.userId);
  if (beat === undefined) throw unknownBeat(params.beat_id);
  return beat;
}

const changeOf = ({ account, params, headers, requestId, idempotencyRun }: BeatCall) => ({
  userId: account.userId,
  beatId: params.beat_id,
  requestId,
  ifMatch: headers.get("if-match") ?? undefined,
  run: idempotencyRun,
});

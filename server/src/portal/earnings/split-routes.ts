import Type from "typebox";
import {
  answerInvitation,
  findSplit,
  listInvitations,
  maxCollaborators,
  type Split,
  saveSplit,
} from "../../resources/splits/splits.ts";
import { type PortalRoute, portalRoute } from "../route.ts";

const closed = { additionalProperties: false };
const tag = "Earnings";
const state = Type.Enum(["waiting", "accepted", "declined"]);
const basisPoints = Type.Integer({
  minimum: 1,
  maximum: 9_999,
  description: "The share in hundredths of a percent of what is left after the commission: 10,000 is all of it.",
});
const BeatId = Type.Object({ beat_id: Type.Integer({ description: "Identifier of the beat." }) });

const SplitSchema = Type.Object(
  {
    own_basis_points: Type.Integer({ description: "The producer's share." }),
    shares: Type.Array(
      Type.Object({ id: Type.Integer(), who: Type.String(), basis_points: basisPoints, state }, closed),
      { description: "The collaborators' shares." },
    ),
    is_used: Type.Boolean({ description: "Whether new sales are split: all collaborators have accepted." }),
  },
  { $id: "Split", ...closed },
);

const Invitations = Type.Object(
  {
    invitations: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          beat_id: Type.Integer(),
          title: Type.String(),
          producer_id: Type.Integer(),
          producer_name: Type.String(),
          basis_points: basisPoints,
          state,
        },
        { $id: "SplitInvitation", ...closed },
      ),
      { description: "At most 200 shares, the newest first." },
    ),
  },
  closed,
);

const json = ({ ownBasisPoints, shares, isUsed }: Split) => ({
  own_basis_points: ownBasisPoints,
  shares: shares.map(({ basisPoints: part, ...share }) => ({ ...share, basis_points: part })),
  is_used: isUsed,
});

/** The splits of the account's beats, and the shares that other producers offer to the account. */
export const splitRoutes = (publicUrl: string): PortalRoute[] => [
  portalRoute({
    operationId: "getSplit",
    permission: "studio:read",
    method: "GET",
    path: "/studio/beats/:beat_id/split",
    tag,
    summary: "Get who shares the sales of a beat, and who has accepted",
    params: BeatId,
    response: SplitSchema,
    handle: async ({ db, account, params }) => json(await findSplit(db, account.userId, params.beat_id)),
  }),
  portalRoute({
    operationId: "saveSplit",
    permission: "studio:write",
    method: "PUT",
    path: "/studio/beats/:beat_id/split",
    tag,
    summary: "Offer shares of a beat's sales to collaborators; the split applies once all have accepted",
    params: BeatId,
    body: Type.Object(
      {
        own_basis_points: Type.Integer({ minimum: 1, maximum: 10_000 }),
        shares: Type.Array(
          Type.Object(
            {
              who: Type.String({ minLength: 1, maxLength: 254, description: "A username or an e-mail address." }),
              basis_points: basisPoints,
            },
            closed,
          ),
          { maxItems: maxCollaborators },
        ),
      },
      closed,
    ),
    response: SplitSchema,
    handle: async ({ db, account, params, body, clock }) =>
      json(
        await saveSplit(db, {
          ownerId: account.userId,
          beatId: params.beat_id,
          publicUrl,
          now: new Date(clock.nowMs()),
          split: {
            ownBasisPoints: body.own_basis_points,
            shares: body.shares.map(({ who, basis_points }) => ({ who, basisPoints: basis_points })),
          },
        }),
      ),
  }),
  portalRoute({
    operationId: "listSplitInvitations",
    permission: "sales:read",
    method: "GET",
    path: "/earnings/splits",
    tag,
    summary: "List the shares of other producers' beats that the account has or is offered",
    response: Invitations,
    handle: async ({ db, account }) => ({
      invitations: (await listInvitations(db, account.userId)).map(
        ({ beatId, producerId, producerName, basisPoints: part, ...invitation }) => ({
          ...invitation,
          beat_id: beatId,
          producer_id: producerId,
          producer_name: producerName,
          basis_points: part,
        }),
      ),
    }),
  }),
  portalRoute({
    operationId: "answerSplitInvitation",
    permission: "studio:write",
    method: "POST",
    path: "/earnings/splits/:share_id",
    tag,
    summary: "Accept or decline a share; to decline an accepted one ends the split for later sales",
    params: Type.Object({ share_id: Type.Integer({ description: "Identifier of the share." }) }),
    body: Type.Object({ accepts: Type.Boolean() }, closed),
    status: 204,
    response: Type.Void(),
    refusals: [409],
    handle: ({ db, account, params, body, clock }) =>
      answerInvitation(db, {
        userId: account.userId,
        shareId: params.share_id,
        accepts: body.accepts,
        now: new Date(clock.nowMs()),
      }),
  }),
];

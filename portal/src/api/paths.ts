// The portal's routes as its web app sees them. Rebuilt by `npm run contract`; do not edit.

export interface paths {
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is signed in, and what this server offers */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for an account; a mailed link confirms it */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a registration by its link and password, and sign in */
        post: operations["confirmRegistration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkey/challenges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a browser signs in with by a passkey, within ten minutes */
        post: operations["challengePasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a passkey */
        post: operations["signInWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/demo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in as the demo account, in demo mode */
        post: operations["signInAsDemo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the session */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change the password, and end every other session */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/request-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for a mailed link to choose a new password */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Choose a new password by a mailed link, and sign in */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's public profile */
        get: operations["getOwnProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the public profile; a field that is left out stays, null clears it */
        patch: operations["updateOwnProfile"];
        trace?: never;
    };
    "/account/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for another e-mail address; a link that is mailed there confirms it */
        post: operations["requestEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/confirm-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm another address by its mailed link and the account's password */
        post: operations["confirmEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/undo-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give an account its former address back, with a new password */
        post: operations["undoEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where the account is signed in */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of the account's sessions */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/other-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End every session of the account but this one */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/security": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's authenticator and passkeys */
        get: operations["getAccountSecurity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/authenticator/proposals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An authenticator and recovery codes that do not exist yet */
        post: operations["proposeAuthenticator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/authenticator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a proposed authenticator by a code that its app shows */
        post: operations["addAuthenticator"];
        /** Remove the authenticator and its recovery codes */
        delete: operations["removeAuthenticator"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/authenticator/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** New recovery codes in place of the old ones */
        post: operations["replaceRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/passkeys/offers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a browser needs to make a passkey, within ten minutes */
        post: operations["offerPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add the passkey that a browser made for an offer */
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/passkeys/{passkey_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a passkey */
        delete: operations["removePasskey"];
        options?: never;
        head?: never;
        /** Give a passkey another name */
        patch: operations["renamePasskey"];
        trace?: never;
    };
    "/account/erasure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delete the account at once and for good */
        post: operations["eraseAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was done with the account, its keys and its webhooks */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make an organisation, own it, and act as it */
        post: operations["createOrganisation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Act as an organisation, or as oneself again */
        put: operations["actAs"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The members and invitations of the organisation that one acts as */
        get: operations["getOrganisation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisation/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The organisation's public profile */
        get: operations["getOrganisationProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Rename the organisation, or change its public profile */
        patch: operations["updateOrganisationProfile"];
        trace?: never;
    };
    "/organisation/erasure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delete the organisation at once and for good, with its keys, endpoints and beats */
        post: operations["eraseOrganisation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisation/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What members and the operator did with the organisation */
        get: operations["listOrganisationAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisation/members/{user_id}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What ends with a member's role or membership, for owners and oneself */
        get: operations["listMemberCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisation/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a member, who acts as the organisation no more at once */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /** Give a member another role */
        patch: operations["changeRole"];
        trace?: never;
    };
    "/organisation/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End one's own membership */
        post: operations["leaveOrganisation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisation/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make another member the owner, and oneself a developer */
        post: operations["transferOwnership"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisation/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mail an invitation, which opens for seven days */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisation/invitations/{invitation_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mail another link in place of the one before, for seven days from now */
        post: operations["resendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisation/invitations/{invitation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an invitation; its link opens nothing any more */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a mailed link offers, also when it is too late */
        post: operations["findInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Become a member by a mailed link, and act as the organisation */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Register the invited address, become a member, and sign in */
        post: operations["registerByInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/claims/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Which producer a mailed link offers */
        post: operations["findClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/claims/prove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take over a producer by its mailed link */
        post: operations["proveClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/home": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What went wrong in the last day, by reason, and the newest call that worked */
        get: operations["getHome"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's API keys, with what they are used for */
        get: operations["listKeys"];
        put?: never;
        /** Make an API key; it is shown this once. Repeated with the same proposed key, it is made once */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/proposals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Show a key that does not exist yet, to create or rotate one with when its owner has it */
        post: operations["proposeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How much of each active key's limits is left */
        get: operations["getKeyLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace a key by a new one, while the old one still works for some time */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{key_id}/use": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What used a key in the last seven days */
        get: operations["getKeyUse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{key_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a key for good, within a second and everywhere */
        post: operations["revokeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The person's saved views of the account's request log */
        get: operations["listViews"];
        put?: never;
        /** Save the filters of the request log under a name */
        post: operations["createView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/views/{view_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a saved view */
        delete: operations["deleteView"];
        options?: never;
        head?: never;
        /** Rename a saved view, or give it other filters */
        patch: operations["changeView"];
        trace?: never;
    };
    "/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's calls, newest first */
        get: operations["listCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The keys that calls can have been made with */
        get: operations["listCallKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/histogram": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Calls over time, by how they ended */
        get: operations["getCallHistogram"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{call_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A call: what was sent, why it was refused, what it made happen */
        get: operations["getCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Calls over time, how they ended, how long they took, and how far limits were used */
        get: operations["getAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's endpoints and how they are doing, oldest first */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /** Make an endpoint */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's endpoints that are disabled or failing */
        get: operations["listWebhookNotices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make the account's inbox: an endpoint that receives within the service */
        post: operations["createWebhookInbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{endpoint_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An endpoint and how it is doing */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /** Delete an endpoint, its deliveries and their attempts */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /** Change an endpoint's address, subscriptions or description */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/webhooks/endpoints/{endpoint_id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop deliveries to an endpoint; what happens meanwhile is kept as skipped */
        post: operations["disableWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{endpoint_id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start deliveries to an endpoint again, with or without what was skipped */
        post: operations["enableWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{endpoint_id}/reveal-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Show the secrets that sign; the account's audit log keeps it */
        post: operations["revealWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{endpoint_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace an endpoint's secret; the old one signs too for a while */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{endpoint_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A page of an endpoint's deliveries, newest event first */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A delivery with its payload and attempts */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/deliveries/{delivery_id}/curl": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A delivery as a curl command, signed at this moment */
        get: operations["getWebhookDeliveryCurl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/deliveries/{delivery_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a delivery again, with the same event id */
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{endpoint_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send an example event to an endpoint, whatever it is subscribed to */
        post: operations["sendTestWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{endpoint_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many deliveries a replay would send */
        get: operations["previewWebhookReplay"];
        put?: never;
        /** Send deliveries again: what was given up, what was skipped, or all of a time */
        post: operations["replayWebhookDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{endpoint_id}/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What an inbox received, newest first */
        get: operations["listWebhookReceipts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/receipts/{receipt_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What an inbox received, and how it verified it */
        get: operations["getWebhookReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say why a receiver finds a signature wrong */
        post: operations["diagnoseWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/explorer/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's keys that work and may do no more than the person's role, to call with from the explorer */
        get: operations["listExplorerKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/explorer/keys/{key_id}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How much of a key's limits is left, in the explorer and elsewhere */
        get: operations["getExplorerLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/studio/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a beat may be: genres, the currency, and how prices follow from the basic one */
        get: operations["getStudioOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/studio/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's uploads that no beat uses */
        get: operations["listStudioUploads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/studio/uploads/{upload_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What became of an upload */
        get: operations["getStudioUpload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/studio/uploads/{upload_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Analyse an upload again that was rejected for a reason of our own */
        post: operations["retryStudioUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/studio/beats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's beats in every state, newest first */
        get: operations["listStudioBeats"];
        put?: never;
        /** Make a draft of an upload, or publish it */
        post: operations["createStudioBeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/studio/beats/{beat_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One of the account's beats, with its files */
        get: operations["getStudioBeat"];
        put?: never;
        post?: never;
        /** Take a beat off sale; one that was never on sale is deleted */
        delete: operations["withdrawStudioBeat"];
        options?: never;
        head?: never;
        /** Change a beat, publish it, or put it on sale again; with If-Match only if nobody changed it meanwhile */
        patch: operations["changeStudioBeat"];
        trace?: never;
    };
    "/market/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The currency of prices, and how they are paid */
        get: operations["getMarketOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/market/beats/{beat_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A beat with its licenses: price, files and terms in full */
        get: operations["getMarketBeat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/market/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Buy a license; with an Idempotency-Key, a repeated request never buys twice */
        post: operations["createMarketOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/library/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's orders in every state, newest first */
        get: operations["listLibrary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/library/orders/{order_id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The files of an order with new links, and its license; 503 while the files are being made */
        get: operations["listLibraryFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/library/orders/{order_id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a receipt of a completed order says */
        get: operations["getReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sales": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's sales, newest first, and the sums of all that the filters pass */
        get: operations["listPortalSales"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sales/beats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The beats that the account has sold, to choose among */
        get: operations["listSoldBeats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Accounts by address, name, id or key, newest first */
        get: operations["listAdminAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/accounts/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An account with its keys, use and sessions */
        get: operations["getAdminAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/accounts/{user_id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Suspend an account: keys, sessions and webhooks stop within a second, its beats are off sale; its owner gets a mail */
        post: operations["suspendAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/accounts/{user_id}/unsuspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lift a suspension; its owner gets a mail */
        post: operations["unsuspendAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/keys/{key_id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Move a key to another plan */
        post: operations["changeKeyPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/keys/{key_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a key of any account for good, within a second and everywhere */
        post: operations["revokeAnyKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Orders of all accounts, newest first */
        get: operations["listAdminOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/orders/{order_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An order with its payment, refunds, disputes, ledger entries and certificate */
        get: operations["getAdminOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/orders/{order_id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pay an order back, in full or in part; with an Idempotency-Key, a repeated request never pays twice */
        post: operations["refundOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The endpoints of all accounts, by health, most pending deliveries first */
        get: operations["listWebhookFleet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/webhooks/{endpoint_id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start deliveries to an endpoint again, with or without what was skipped */
        post: operations["enableAnyWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/webhooks/{endpoint_id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop deliveries to an endpoint; its owner gets a mail with the reason */
        post: operations["disableAnyWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/webhooks/{endpoint_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send an endpoint's failed and skipped deliveries again */
        post: operations["replayAnyWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Calls of all accounts, newest first */
        get: operations["listAdminCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/calls/{call_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A call of any account: what was sent, and why it was refused */
        get: operations["getAdminCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Errors of all accounts by kind and endpoint, most frequent first */
        get: operations["listAdminErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was done with accounts, by their owners and by operators, newest first */
        get: operations["listAdminAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The imports into the catalogue, newest first */
        get: operations["listAdminImports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/imports/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An import with its rejected rows by reason */
        get: operations["getAdminImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ActingOrganisation: {
            name: string;
            /**
             * @description docs/organisations.md, Roles.
             * @enum {string}
             */
            role: "owner" | "developer" | "billing" | "viewer";
            /** @description The operator's sentence; null unless suspended. */
            suspended_for: string | null;
            /** @description What the role may not do, with what to do about it. */
            refusals: {
                "account:read"?: string;
                "keys:read"?: string;
                "keys:write"?: string;
                "webhooks:read"?: string;
                "webhooks:write"?: string;
                "calls:read"?: string;
                "explorer:use"?: string;
                "studio:read"?: string;
                "studio:write"?: string;
                "orders:read"?: string;
                "orders:write"?: string;
                "sales:read"?: string;
                "organisation:manage"?: string;
            };
            /** @description What keys may have at most that the member makes, rotates or calls with. */
            key_permissions: ("beats:read" | "beats:write" | "genres:read" | "users:read" | "producers:read" | "search:read" | "events:read" | "orders:read" | "orders:write" | "sales:read" | "profile:write")[];
        };
        Session: {
            account: {
                /**
                 * Format: int64
                 * @description The account that one acts as: one's own, or an organisation's.
                 */
                user_id: number;
                /**
                 * Format: int64
                 * @description One's own account.
                 */
                person_id: number;
                /** @description The person's. */
                name: string;
                /** @description The person's. */
                email: string;
                /** @description Null in one's own account. */
                organisation: components["schemas"]["ActingOrganisation"] | null;
                /** @description Those that one may act as, by name. */
                organisations: {
                    /** Format: int64 */
                    user_id: number;
                    name: string;
                    /**
                     * @description docs/organisations.md, Roles.
                     * @enum {string}
                     */
                    role: "owner" | "developer" | "billing" | "viewer";
                }[];
                /**
                 * Format: date-time
                 * @description When the session ends at the latest; earlier after seven days without use.
                 */
                session_ends_at: string;
                /** @description May see and change all accounts. */
                operator: boolean;
                /** @description Shared by everyone who tries the demo; it has no password. */
                is_demo: boolean;
            } | null;
            /** @description The address of the API. */
            base_url: string;
            /** @description The certificate of the authority that programs have to trust; null if systems trust it already. */
            ca_file: string | null;
            /**
             * @description Where new orders are charged: the sandbox, Stripe in test mode, or live, where money moves.
             * @enum {string}
             */
            payments: "sandbox" | "test" | "live";
            /** @description Whether anybody may sign in as the demo account. */
            offers_demo: boolean;
            /** @description This server has no mail server, and writes mails into DATA_DIR/mail. */
            mails_are_files: boolean;
        };
        PasskeyChallenge: {
            challenge: string;
            /** @description The host that passkeys belong to. */
            rp_id: string;
        };
        /** @description A public profile. */
        User: {
            /** Format: int64 */
            id: number;
            username: string;
            display_name: string;
            bio: string | null;
            location: string | null;
            website: string | null;
            avatar_url: string | null;
            is_producer: boolean;
            /**
             * Format: int64
             * @description Beats on sale.
             */
            beats_count: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            created_at: string;
        };
        ProfileFields: {
            /** @description The name people see. */
            display_name?: string;
            bio?: string | null;
            location?: string | null;
            website?: string | null;
            avatar_url?: string | null;
        };
        AccountSession: {
            id: string;
            /** @description In plain words: Firefox on Linux. */
            device: string;
            /** @description Where it signed in; empty in sessions from before this was recorded. */
            client_address: string;
            /** Format: date-time */
            signed_in_at: string;
            /**
             * Format: date-time
             * @description To ten minutes.
             */
            last_seen_at: string;
            /** @description The one that asks. */
            is_current: boolean;
        };
        AccountSecurity: {
            authenticator: {
                /** Format: date-time */
                added_at: string;
                /** Format: int64 */
                recovery_codes_left: number;
            } | null;
            /** @description Oldest first. */
            passkeys: {
                /** Format: int64 */
                id: number;
                name: string;
                /** @description Other devices of its owner have it, too. */
                is_synced: boolean;
                /** Format: date-time */
                added_at: string;
                last_used_at: string | null;
            }[];
        };
        ProposedAuthenticator: {
            /** @description In Base32, for apps that scan nothing. */
            secret: string;
            /** @description What the QR code says. */
            uri: string;
            /** @description The dark squares, as the path of an SVG image. */
            qr: {
                /**
                 * Format: int64
                 * @description Width and height of the image.
                 */
                size: number;
                path: string;
            };
            recovery_codes: string[];
            /** @description Goes with the rest to the call that adds it, within an hour. */
            proof: string;
        };
        PasskeyOffer: {
            challenge: string;
            /** @description The host that the passkey belongs to. */
            rp_id: string;
            user_handle: string;
            /** @description Credentials that the account has. */
            exclude: string[];
        };
        AuditEntry: {
            /** Format: int64 */
            id: number;
            /** Format: date-time */
            time: string;
            /** @description For programs: api_key.created. */
            action: string;
            /** @description For people: API key created. */
            what: string;
            /** @description What it was done to; empty for the account itself. */
            subject: string;
            /**
             * @description Who did it: the signed-in person, or the operator.
             * @enum {string}
             */
            by: "portal" | "operator";
            /** @description The address of the member who acted as the organisation; null for others, and for deleted accounts. */
            person: string | null;
            /** @description Empty for the operator. */
            client_address: string;
            user_agent: string;
        };
        Member: {
            /** Format: int64 */
            user_id: number;
            name: string;
            email: string;
            /**
             * @description docs/organisations.md, Roles.
             * @enum {string}
             */
            role: "owner" | "developer" | "billing" | "viewer";
            /** Format: date-time */
            joined_at: string;
            is_you: boolean;
        };
        Invitation: {
            /** Format: int64 */
            id: number;
            email: string;
            /**
             * @description docs/organisations.md, Roles.
             * @enum {string}
             */
            role: "owner" | "developer" | "billing" | "viewer";
            /** Format: date-time */
            expires_at: string;
            has_expired: boolean;
        };
        Organisation: {
            /**
             * Format: int64
             * @description Its user.
             */
            id: number;
            username: string;
            /** @description Owners first. */
            members: components["schemas"]["Member"][];
            /** @description Neither accepted nor revoked, newest first. For owners. */
            invitations: components["schemas"]["Invitation"][];
        };
        MemberCredentials: {
            keys: {
                /** Format: int64 */
                id: number;
                name: string;
                ends_with: string;
            }[];
            endpoints: {
                /** Format: int64 */
                id: number;
                url: string;
            }[];
            invitations: {
                /** Format: int64 */
                id: number;
                email: string;
            }[];
        };
        InvitationOffer: {
            organisation: string;
            /** @description The mailbox that was invited. */
            email: string;
            /**
             * @description docs/organisations.md, Roles.
             * @enum {string}
             */
            role: "owner" | "developer" | "billing" | "viewer";
            /** @enum {string} */
            state: "open" | "expired" | "revoked" | "accepted";
            /** @description The mailbox has an account; otherwise the link registers one. */
            has_account: boolean;
        };
        OfferedClaim: {
            producer: {
                /** Format: int64 */
                id: number;
                name: string;
                /**
                 * Format: int64
                 * @description Its beats on sale.
                 */
                beats: number;
            };
            /** @description The mailbox, whose account will have the beats. */
            email: string;
        };
        ProvenClaim: {
            /**
             * Format: int64
             * @description The account that has the beats now, or within a minute.
             */
            user_id: number;
            /** @description The account was made of the producer; it has no password yet. */
            is_new: boolean;
        };
        ErrorGroup: {
            /** Format: int64 */
            status: number;
            /** @description The kind of the refusal; empty where none is known. */
            refused_by: string;
            /** @description "none" stands for paths that are none of ours. */
            operation: string;
            /**
             * Format: int64
             * @description Of the last day.
             */
            calls: number;
            /**
             * Format: date-time
             * @description To the day (UTC) where it happened on a day before the last 24 hours, too.
             */
            first_seen_at: string;
            /**
             * Format: date-time
             * @description Of the latest call.
             */
            last_seen_at: string;
            /** @description It did not happen in the 30 days before. */
            new: boolean;
            /** @description Why, in words. */
            reason: string;
            /** @description What to do about it. */
            advice: string;
            /** @description The newest of these calls. */
            latest: {
                /**
                 * Format: int64
                 * @description Identifier of the log entry.
                 */
                id: number;
                method: string;
                /** @description As called. */
                path: string;
            };
        };
        Home: {
            /**
             * Format: date-time
             * @description 24 hours ago.
             */
            from: string;
            /**
             * Format: date-time
             * @description Now.
             */
            to: string;
            /** @description The calls of the last day that were refused or failed, by reason and operation, last seen first. */
            errors: components["schemas"]["ErrorGroup"][];
            /** @description All of the day's failed calls were counted. */
            errors_complete: boolean;
            /** @description The account's newest call that worked (2xx); null while there is none. */
            latest_success: {
                /**
                 * Format: int64
                 * @description Identifier of the log entry.
                 */
                id: number;
                /**
                 * Format: date-time
                 * @description When it began.
                 */
                time: string;
                method: string;
                path: string;
                /** Format: int64 */
                status: number;
                /** Format: double */
                duration_ms: number;
            } | null;
        };
        Maker: {
            /** Format: int64 */
            user_id: number;
            name: string;
            email: string | null;
        };
        ApiKey: {
            /** Format: int64 */
            id: number;
            name: string;
            /** @description Its last four characters. */
            ends_with: string;
            /** @enum {string} */
            plan: "standard" | "plus" | "partner" | "internal";
            permissions: ("beats:read" | "beats:write" | "genres:read" | "users:read" | "producers:read" | "search:read" | "events:read" | "orders:read" | "orders:write" | "sales:read" | "profile:write")[];
            /** @enum {string} */
            state: "active" | "expired" | "revoked";
            /** Format: date-time */
            created_at: string;
            /** @description Null: never. */
            expires_at: string | null;
            /** @description Null: not revoked. */
            revoked_at: string | null;
            /** @description To the minute; null: never used. */
            last_used_at: string | null;
            /** @description Null: an operator made it, or nobody recorded who did. */
            created_by: components["schemas"]["Maker"] | null;
            /** @description Of its permissions, those that calls of the last 30 days needed. */
            permissions_used: ("beats:read" | "beats:write" | "genres:read" | "users:read" | "producers:read" | "search:read" | "events:read" | "orders:read" | "orders:write" | "sales:read" | "profile:write")[];
        };
        ProposedKey: {
            /** @description It works once an account has made it its own. */
            key: string;
            /** @description That this service proposed it to the account; valid for a day. */
            proof: string;
        };
        IssuedKey: {
            /** Format: int64 */
            id: number;
            name: string;
            /** @description Its last four characters. */
            ends_with: string;
            /** @enum {string} */
            plan: "standard" | "plus" | "partner" | "internal";
            permissions: ("beats:read" | "beats:write" | "genres:read" | "users:read" | "producers:read" | "search:read" | "events:read" | "orders:read" | "orders:write" | "sales:read" | "profile:write")[];
            /** @enum {string} */
            state: "active" | "expired" | "revoked";
            /** Format: date-time */
            created_at: string;
            /** @description Null: never. */
            expires_at: string | null;
            /** @description Null: not revoked. */
            revoked_at: string | null;
            /** @description To the minute; null: never used. */
            last_used_at: string | null;
            /** @description The key itself; it cannot be shown again. */
            key: string;
        };
        LimitWindow: {
            /** @enum {string} */
            name: "minute" | "hour" | "day";
            /** Format: int64 */
            limit: number;
            /** Format: int64 */
            remaining: number;
            /**
             * Format: int64
             * @description Until the window next frees a request.
             */
            resets_in_seconds: number;
        };
        RotatedKey: {
            /** Format: int64 */
            id: number;
            name: string;
            /** @description Its last four characters. */
            ends_with: string;
            /** @enum {string} */
            plan: "standard" | "plus" | "partner" | "internal";
            permissions: ("beats:read" | "beats:write" | "genres:read" | "users:read" | "producers:read" | "search:read" | "events:read" | "orders:read" | "orders:write" | "sales:read" | "profile:write")[];
            /** @enum {string} */
            state: "active" | "expired" | "revoked";
            /** Format: date-time */
            created_at: string;
            /** @description Null: never. */
            expires_at: string | null;
            /** @description Null: not revoked. */
            revoked_at: string | null;
            /** @description To the minute; null: never used. */
            last_used_at: string | null;
            key: string;
            /** Format: date-time */
            replaced_expires_at: string;
        };
        /** @description What used the key in the last seven days. */
        KeyUse: {
            /** @description Most called first; "none" stands for paths that are none of ours. */
            operations: {
                operation: string;
                /** Format: int64 */
                calls: number;
                /** Format: int64 */
                refused: number;
            }[];
            /** @description Latest first, at most ten. */
            clients: {
                client_address: string;
                user_agent: string;
                /** Format: int64 */
                calls: number;
                /** Format: date-time */
                last_at: string;
            }[];
            /** @description Only the newest 20,000 calls were looked at for `clients`. */
            clients_are_partial: boolean;
        };
        SavedView: {
            /** Format: int64 */
            id: number;
            name: string;
            query: string;
        };
        LoggedCall: {
            /** Format: int64 */
            id: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            time: string;
            request_id: string;
            key: {
                /** Format: int64 */
                id: number;
                /** @description Null once the key is forgotten. */
                name: string | null;
                /** @description The last characters of the key. */
                ends_with: string | null;
            };
            method: string;
            /** @description As called. */
            path: string;
            /** @description As called, without the question mark. */
            query: string;
            /** @description Null where the path is none of ours. */
            operation: string | null;
            /** Format: int64 */
            status: number;
            /** Format: double */
            duration_ms: number;
            /** @description Null unless it was refused or failed. */
            error_code: string | null;
            /** @description The window, permission or parameter that stood in the way. */
            refused_by: string | null;
        };
        /** @description Calls over time by how they ended, refused calls without an entry too. */
        CallHistogram: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            from: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            to: string;
            /** Format: int64 */
            bar_seconds: number;
            /** @description Oldest first, at most 64, on the UTC clock. */
            bars: {
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                start: string;
                /**
                 * Format: int64
                 * @description 2xx.
                 */
                successes: number;
                /**
                 * Format: int64
                 * @description 3xx: 304, not modified.
                 */
                redirects: number;
                /**
                 * Format: int64
                 * @description 4xx.
                 */
                refusals: number;
                /**
                 * Format: int64
                 * @description 5xx.
                 */
                failures: number;
            }[];
            /** @description Older calls are not counted, since the search is bounded; null when all are. */
            counted_from: string | null;
        };
        CausedEvent: {
            id: string;
            type: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            deliveries: {
                /** Format: int64 */
                id: number;
                /** Format: int64 */
                endpoint_id: number;
                url: string;
                /** @enum {string} */
                state: "pending" | "sending" | "succeeded" | "failed" | "skipped";
                /** Format: int64 */
                attempts: number;
            }[];
        };
        LoggedCallDetail: {
            /** Format: int64 */
            id: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            time: string;
            request_id: string;
            key: {
                /** Format: int64 */
                id: number;
                /** @description Null once the key is forgotten. */
                name: string | null;
                /** @description The last characters of the key. */
                ends_with: string | null;
            };
            method: string;
            /** @description As called. */
            path: string;
            /** @description As called, without the question mark. */
            query: string;
            /** @description Null where the path is none of ours. */
            operation: string | null;
            /** Format: int64 */
            status: number;
            /** Format: double */
            duration_ms: number;
            /** @description Null unless it was refused or failed. */
            error_code: string | null;
            /** @description The window, permission or parameter that stood in the way. */
            refused_by: string | null;
            /** @description The error as it was answered. */
            error: {
                code: string;
                message: string;
                details: string;
            } | null;
            /** @description Why it was refused, and what to do. */
            refusal: {
                reason: string;
                advice: string;
            } | null;
            /** @description What is kept of the request's headers, the key masked. */
            headers: {
                name: string;
                value: string;
            }[];
            /** @description As sent, up to 4,000 bytes, without secrets and what may be the number of a card. */
            body: string | null;
            client_address: string;
            /** @description Made in the explorer, which has limits of its own. */
            from_explorer: boolean;
            /** @description What the call made happen, and its deliveries to the account's endpoints. */
            events: components["schemas"]["CausedEvent"][];
        };
        Outcomes: {
            /** Format: int64 */
            calls: number;
            /**
             * Format: int64
             * @description 2xx.
             */
            successes: number;
            /**
             * Format: int64
             * @description 3xx: 304, not modified.
             */
            redirects: number;
            /**
             * Format: int64
             * @description 4xx.
             */
            refusals: number;
            /**
             * Format: int64
             * @description 5xx.
             */
            failures: number;
            /** @description Half of the calls took no longer, in milliseconds. */
            p50_ms: number | null;
            /** @description 95 % of the calls took no longer, in milliseconds. */
            p95_ms: number | null;
            /** @description 99 % of the calls took no longer, in milliseconds. */
            p99_ms: number | null;
        };
        AnalyticsBar: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            start: string;
            /** Format: int64 */
            calls: number;
            /**
             * Format: int64
             * @description 2xx.
             */
            successes: number;
            /**
             * Format: int64
             * @description 3xx: 304, not modified.
             */
            redirects: number;
            /**
             * Format: int64
             * @description 4xx.
             */
            refusals: number;
            /**
             * Format: int64
             * @description 5xx.
             */
            failures: number;
            /** @description Half of the calls took no longer, in milliseconds. */
            p50_ms: number | null;
            /** @description 95 % of the calls took no longer, in milliseconds. */
            p95_ms: number | null;
            /** @description 99 % of the calls took no longer, in milliseconds. */
            p99_ms: number | null;
        };
        Analytics: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            from: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            to: string;
            /** Format: int64 */
            bar_seconds: number;
            /**
             * Format: double
             * @description How far a percentile may be from the true one, as a share of it.
             */
            percentile_error: number;
            total: components["schemas"]["Outcomes"];
            /** @description Oldest first; the last may still be running. */
            bars: components["schemas"]["AnalyticsBar"][];
            /** @description Null where the counts of the time before are deleted or kept in less detail. */
            before: {
                /** @description As many, of the time right before. */
                bars: components["schemas"]["AnalyticsBar"][];
                now: components["schemas"]["Outcomes"];
                earlier: components["schemas"]["Outcomes"];
            } | null;
            /** @description Most called first; "none" stands for paths that are none of ours. */
            operations: {
                operation: string;
                /** Format: int64 */
                calls: number;
                /**
                 * Format: int64
                 * @description 2xx.
                 */
                successes: number;
                /**
                 * Format: int64
                 * @description 3xx: 304, not modified.
                 */
                redirects: number;
                /**
                 * Format: int64
                 * @description 4xx.
                 */
                refusals: number;
                /**
                 * Format: int64
                 * @description 5xx.
                 */
                failures: number;
                /** @description Half of the calls took no longer, in milliseconds. */
                p50_ms: number | null;
                /** @description 95 % of the calls took no longer, in milliseconds. */
                p95_ms: number | null;
                /** @description 99 % of the calls took no longer, in milliseconds. */
                p99_ms: number | null;
            }[];
            /** @description Most frequent first, at most 20. */
            errors: {
                /** Format: int64 */
                status: number;
                refused_by: string;
                operation: string;
                /** Format: int64 */
                calls: number;
            }[];
            /** @description Keys with calls, most calls first. */
            limits: {
                key: {
                    /** Format: int64 */
                    id: number;
                    name: string;
                    ends_with: string;
                };
                plan: string;
                /** Format: int64 */
                admitted: number;
                /** @description What the key's plan allows. */
                allowed: {
                    /** @description Null: no limit. */
                    minute: number | null;
                    /** @description Null: no limit. */
                    hour: number | null;
                    /** @description Null: no limit. */
                    day: number | null;
                };
                /** @description The fullest there was. */
                busiest: {
                    /** @description Null: no counts are kept of then. */
                    minute: number | null;
                    /** @description Null: no counts are kept of then. */
                    hour: number | null;
                    /** @description Null: no counts are kept of then. */
                    day: number | null;
                };
                /** @description Admitted calls of the newest minutes, hours and days, oldest first. */
                use: {
                    minute: number[];
                    hour: number[];
                    day: number[];
                };
                /** @description Calls refused because that window was full. */
                refused: {
                    /** Format: int64 */
                    minute: number;
                    /** Format: int64 */
                    hour: number;
                    /** Format: int64 */
                    day: number;
                };
            }[];
        };
        WebhookEndpointHealth: {
            /** Format: int64 */
            id: number;
            /**
             * @description An inbox receives within the service.
             * @enum {string}
             */
            kind: "http" | "inbox";
            /** @description Empty for an inbox. */
            url: string;
            description: string;
            /** @description Null: every type, those to come included. */
            event_types: ("beat.created" | "beat.updated" | "beat.purchased" | "order.refunded" | "order.failed" | "upload.ready" | "upload.rejected" | "beat.publishing_failed" | "user.registered" | "user.updated")[] | null;
            /** @description One delivery at a time, in the order of the events. */
            ordered: boolean;
            /** @enum {string} */
            state: "enabled" | "disabled";
            /** @description Null unless disabled. */
            disabled_at: string | null;
            /** @description A sentence; null unless disabled. */
            disabled_reason: string | null;
            /** @description The first failed attempt since the last success. */
            failing_since: string | null;
            /** @description Of the last failed attempt, in words. */
            last_error: string | null;
            /** @description To the minute while all goes well. */
            last_success_at: string | null;
            /** @description Null when no attempt has failed. */
            last_failure_at: string | null;
            /** @description Until then the secret before the present one signs too. */
            previous_secret_until: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /** @description The user who made it; null: an operator, or nobody recorded who. */
            created_by: number | null;
            /** @description How the newest deliveries stand, newest first. */
            recent: ("pending" | "sending" | "succeeded" | "failed" | "skipped" | "retrying")[];
            /**
             * Format: int64
             * @description Of the newest hundred deliveries, those that were ever attempted.
             */
            attempted: number;
            /**
             * Format: int64
             * @description Of these, those that succeeded.
             */
            succeeded: number;
            /** @description Deliveries in these states, each counted up to 10000. */
            undelivered: {
                /** Format: int64 */
                pending: number;
                /** Format: int64 */
                failed: number;
                /** Format: int64 */
                skipped: number;
            };
        };
        WebhookEndpoint: {
            /** Format: int64 */
            id: number;
            /**
             * @description An inbox receives within the service.
             * @enum {string}
             */
            kind: "http" | "inbox";
            /** @description Empty for an inbox. */
            url: string;
            description: string;
            /** @description Null: every type, those to come included. */
            event_types: ("beat.created" | "beat.updated" | "beat.purchased" | "order.refunded" | "order.failed" | "upload.ready" | "upload.rejected" | "beat.publishing_failed" | "user.registered" | "user.updated")[] | null;
            /** @description One delivery at a time, in the order of the events. */
            ordered: boolean;
            /** @enum {string} */
            state: "enabled" | "disabled";
            /** @description Null unless disabled. */
            disabled_at: string | null;
            /** @description A sentence; null unless disabled. */
            disabled_reason: string | null;
            /** @description The first failed attempt since the last success. */
            failing_since: string | null;
            /** @description Of the last failed attempt, in words. */
            last_error: string | null;
            /** @description To the minute while all goes well. */
            last_success_at: string | null;
            /** @description Null when no attempt has failed. */
            last_failure_at: string | null;
            /** @description Until then the secret before the present one signs too. */
            previous_secret_until: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /** @description The user who made it; null: an operator, or nobody recorded who. */
            created_by: number | null;
        };
        NewWebhookEndpoint: {
            /** @description https, port 443 or 1024 and above. */
            url: string;
            /** @description What the endpoint is for. Default: . */
            description?: string;
            /** @description Null: every type, those to come included. */
            event_types: ("beat.created" | "beat.updated" | "beat.purchased" | "order.refunded" | "order.failed" | "upload.ready" | "upload.rejected" | "beat.publishing_failed" | "user.registered" | "user.updated")[] | null;
            /** @description One delivery at a time, in the order of the events. Default: false. */
            ordered?: boolean;
        };
        WebhookEndpointChange: {
            /** @description https, port 443 or 1024 and above. */
            url?: string;
            /** @description What the endpoint is for. */
            description?: string;
            /** @description Null: every type, those to come included. */
            event_types?: ("beat.created" | "beat.updated" | "beat.purchased" | "order.refunded" | "order.failed" | "upload.ready" | "upload.rejected" | "beat.publishing_failed" | "user.registered" | "user.updated")[] | null;
        };
        WebhookSecret: {
            secret: string;
            /** @description Signs too, until it ends. */
            previous_secret: string | null;
            /** @description Null without one. */
            previous_secret_until: string | null;
        };
        WebhookDelivery: {
            /** Format: int64 */
            id: number;
            /** Format: int64 */
            endpoint_id: number;
            event_id: string;
            /** @enum {string} */
            type: "beat.created" | "beat.updated" | "beat.purchased" | "order.refunded" | "order.failed" | "upload.ready" | "upload.rejected" | "beat.publishing_failed" | "user.registered" | "user.updated";
            /** @description A test event, whose beat and accounts do not exist. */
            test: boolean;
            /** @enum {string} */
            state: "pending" | "sending" | "succeeded" | "failed" | "skipped";
            /**
             * Format: int64
             * @description Since it was last put into the queue.
             */
            attempts: number;
            /**
             * Format: int64
             * @description In all, also before it was sent again; up to 1,000.
             */
            total_attempts: number;
            /** @description Null unless pending. */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /** @description Null without an attempt, and without a response. */
            last_status: number | null;
            /** @description In words; null when the last attempt succeeded. */
            last_error: string | null;
            /** @description Null without an attempt. */
            last_attempt_at: string | null;
        };
        WebhookDeliveryDetail: {
            /** Format: int64 */
            id: number;
            /** Format: int64 */
            endpoint_id: number;
            event_id: string;
            /** @enum {string} */
            type: "beat.created" | "beat.updated" | "beat.purchased" | "order.refunded" | "order.failed" | "upload.ready" | "upload.rejected" | "beat.publishing_failed" | "user.registered" | "user.updated";
            /** @description A test event, whose beat and accounts do not exist. */
            test: boolean;
            /** @enum {string} */
            state: "pending" | "sending" | "succeeded" | "failed" | "skipped";
            /**
             * Format: int64
             * @description Since it was last put into the queue.
             */
            attempts: number;
            /**
             * Format: int64
             * @description In all, also before it was sent again; up to 1,000.
             */
            total_attempts: number;
            /** @description Null unless pending. */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /** @description Null without an attempt, and without a response. */
            last_status: number | null;
            /** @description In words; null when the last attempt succeeded. */
            last_error: string | null;
            /** @description Null without an attempt. */
            last_attempt_at: string | null;
            /** @description The body, as it is sent. */
            payload: string;
            /** @description The newest attempts, oldest of them first. */
            history: {
                /** Format: int64 */
                id: number;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                attempted_at: string;
                /** @description Null when no response came. */
                status: number | null;
                /** Format: int64 */
                duration_ms: number;
                /** @description In words; null when it succeeded. */
                error: string | null;
                /** @description The first 20 kB. */
                answer: string;
            }[];
        };
        WebhookReplay: {
            /**
             * @description Which deliveries to send: failed ones, skipped ones, both, or all of a time range, including succeeded ones and events without a delivery.
             * @enum {string}
             */
            which: "failed" | "skipped" | "undelivered" | "all";
            /** @description Events from then on, ISO 8601. Needed for all. */
            from?: string;
            /** @description Events before then, ISO 8601. */
            to?: string;
        };
        WebhookReceipt: {
            /** Format: int64 */
            id: number;
            /** Format: int64 */
            delivery_id: number;
            event_id: string;
            type: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            received_at: string;
            verified: boolean;
        };
        WebhookReceiptDetail: {
            /** Format: int64 */
            id: number;
            /** Format: int64 */
            delivery_id: number;
            event_id: string;
            type: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            received_at: string;
            verified: boolean;
            headers: {
                name: string;
                value: string;
            }[];
            /** @description The bytes as they came, as UTF-8. */
            body: string;
            /** Format: int64 */
            body_bytes: number;
            /** @description What X-Webhook-Signature held. */
            given_signature: string;
            /** @description The HMAC that the inbox computed. */
            computed_signature: string;
            /** @description The end of the secret that it used. */
            secret_end: string;
            /**
             * Format: double
             * @description Of webhook-timestamp when it came.
             */
            age_seconds: number;
            /**
             * Format: int64
             * @description Older or newer is refused.
             */
            tolerance_seconds: number;
        };
        WebhookEvidence: {
            /**
             * Format: int64
             * @description The endpoint whose delivery it is.
             */
            endpoint_id: number;
            /** @description What the receiver has; absent: the endpoint's. */
            secret?: string;
            /** @description Lines of `name: value` as they were copied, or a JSON object. */
            headers: string;
            /** @description The bytes that the receiver checks. */
            body_base64: string;
            /** @description What the receiver's own code computed, to find its mistake. */
            computed?: string;
        };
        WebhookDiagnosis: {
            ok: boolean;
            /**
             * @description What was found: docs/webhooks.md has a paragraph on each.
             * @enum {string}
             */
            finding: "valid" | "no-signature" | "previous-secret" | "other-secret" | "secret-text" | "changed-body" | "newline" | "signed-text" | "encoding" | "other-method" | "standard-headers" | "stale-timestamp";
            /** @description A sentence. */
            cause: string;
            /** @description What to do; empty when there is nothing to do. */
            advice: string;
        };
        ExplorerKey: {
            /** Format: int64 */
            id: number;
            name: string;
            /** @description The last characters of the key. */
            ends_with: string;
            permissions: string[];
        };
        ExplorerLimits: {
            /** @description Of calls with this key from the explorer. */
            explorer: components["schemas"]["LimitWindow"][];
            /** @description Of calls with this key from anywhere else; empty without limits. */
            key: components["schemas"]["LimitWindow"][];
        };
        /** @description What was heard in a recording; null where nothing could be told. */
        Analysis: {
            /** @description Beats per minute; null if none can be told. */
            bpm: number | null;
            /** @description How sure the tempo is, from 0 to 1. */
            bpm_confidence: number | null;
            /** @description The next best tempo, often twice or half of it. */
            bpm_alternative: number | null;
            /** @description The musical key, such as `C# minor`; null if none can be told. */
            key: string | null;
            /** @description How sure the key is, from 0 to 1. */
            key_confidence: number | null;
            /** @description The next best key. */
            key_alternative: string | null;
            /**
             * Format: int64
             * @description In seconds.
             */
            duration: number;
            /** @description What the file is by its bytes: `wav`, `aiff`, `flac`, `mp3`, `ogg` or `m4a`. The last three are lossy: licenses of such a recording bring no WAV. */
            format: string;
            /**
             * Format: int64
             * @description In Hz.
             */
            sample_rate: number;
            /** Format: int64 */
            channels: number;
            /** @description Integrated loudness by EBU R128; null for silence. */
            loudness_lufs: number | null;
            /** @description The true peak in dBTP; null for silence. */
            true_peak_dbtp: number | null;
            /**
             * Format: int64
             * @description Samples in runs at full scale.
             */
            clipped_samples: number;
            /**
             * Format: double
             * @description Seconds of silence before the first sound.
             */
            silence_start: number;
            /**
             * Format: double
             * @description Seconds of silence after the last sound.
             */
            silence_end: number;
        };
        StudioUpload: {
            id: string;
            /** @enum {string} */
            kind: "audio" | "stems" | "cover";
            /** @description As it was given. A text, never a path. */
            filename: string;
            /**
             * Format: int64
             * @description Of the whole file.
             */
            bytes: number;
            /**
             * Format: int64
             * @description Of these so many have arrived.
             */
            received: number;
            /** @description Of the file as it was sent; null until it is stored. */
            sha256: string | null;
            /**
             * @description receiving becomes analysing with the last byte, then ready or rejected.
             * @enum {string}
             */
            status: "receiving" | "analysing" | "ready" | "rejected";
            /** @description Why it was rejected, as a sentence; null unless it was. */
            rejection: string | null;
            /** @description Of audio that is ready; null otherwise. */
            analysis: components["schemas"]["Analysis"] | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            created_at: string;
            /** @description When it is deleted, unless a beat uses it by then; null when one does. */
            expires_at: string | null;
            /** @description It was rejected for a reason of our own; trying again may help. */
            is_retriable: boolean;
        };
        /** @description A beat with its description, tags and licenses; one of your own with its status too. */
        BeatDetail: {
            /** Format: int64 */
            id: number;
            title: string;
            /**
             * Format: int64
             * @description The producing user.
             */
            user_id: number;
            producer_name: string;
            genre: {
                /** Format: int64 */
                id: number;
                name: string;
            };
            /**
             * Format: double
             * @description The basic license's, at most two decimals.
             */
            price: number;
            /**
             * Format: int64
             * @description Whole seconds; 0 when unknown.
             */
            duration: number;
            /**
             * Format: int64
             * @description Tempo in beats per minute; 0 only for a draft of one's own whose tempo is not known yet.
             */
            bpm: number;
            /** @description Musical key such as "C# minor"; "" when unknown. */
            key: string;
            /** Format: uri */
            audio_url: string;
            /** Format: uri */
            cover_image: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            created_at: string;
            /** Format: int64 */
            play_count: number;
            /** Format: int64 */
            download_count: number;
            description: string;
            tags: string[];
            licenses: {
                /** @enum {string} */
                type: "basic" | "premium" | "unlimited" | "exclusive";
                /** Format: double */
                price: number;
                /** @description False for every license while the exclusive one is being bought, and once it is sold. */
                available: boolean;
            }[];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            updated_at: string;
            /** @description The waveform of the whole beat, as JSON of audiowaveform's version 2; null without one. */
            waveform_url?: string | null;
            /** @description What was heard in the recording; null for one that was not analysed. */
            analysis?: components["schemas"]["Analysis"] | null;
            /**
             * @description To the beat's producer alone, as all below.
             * @enum {string}
             */
            status?: "draft" | "processing" | "published" | "withdrawn";
            /** @description Who said the `bpm`; null while nobody has. */
            bpm_source?: ("producer" | "analysis") | null;
            /** @description Who said the `key`; null while nobody has. */
            key_source?: ("producer" | "analysis") | null;
            /** @description What is mixed into the preview: `default`, `none`, or the id of an upload. */
            preview_tag?: string;
            /** @description Why the last publishing failed, as a sentence; null if it did not. */
            rejection?: string | null;
        };
        BeatFields: {
            /** @description What the beat is called. */
            title: string;
            /** @description A genre of `GET /genres`, by its id or its name. */
            genre: string | number;
            /** @description The id of an upload of kind `audio`. */
            audio: string;
            /**
             * Format: double
             * @description The basic license's, in the currency's main unit, at most two decimals.
             */
            price: number;
            /** @description Prices of the other licenses. Those that are missing are twice, five and twenty times `price`, rounded up to end in 99 cents. */
            license_prices?: {
                /** Format: double */
                premium?: number;
                /** Format: double */
                unlimited?: number;
                /** Format: double */
                exclusive?: number;
            };
            /**
             * Format: double
             * @description The tempo. Without it, analysis tells it.
             */
            bpm?: number;
            /**
             * Format: musical-key
             * @description The musical key, such as `A minor`, `Am` or `8A`. Without it, analysis tells it.
             */
            key?: string;
            description?: string;
            /** @description At most 20, each of at most 50 characters and without a comma. Of those that differ by case, accents, spaces or punctuation the first is kept. */
            tags?: string[];
            /** @description The id of an upload of kind `cover`. */
            cover?: string;
            /** @description The id of an upload of kind `stems`. */
            stems?: string;
            /** @description What is mixed into the preview every 15 seconds: `default`, the service's own tag; `none`; or the id of an upload of kind `audio`. */
            preview_tag?: string;
            /**
             * @description `published` puts the beat on sale as soon as its files are processed. Default: draft.
             * @enum {string}
             */
            status?: "draft" | "published";
        };
        StudioBeat: {
            beat: components["schemas"]["BeatDetail"];
            /**
             * Format: double
             * @description The exact one, of which `bpm` is the whole number; 0 while unknown.
             */
            tempo: number;
            /**
             * @description The exclusive license. Nothing of the beat can change while it is held, or once it is sold.
             * @enum {string}
             */
            exclusive: "available" | "held" | "sold";
            /**
             * Format: int64
             * @description Counts edits; If-Match takes it as `"v7-"`.
             */
            edit_version: number;
            /** @description The files that the beat is made of. */
            uploads: {
                /** @description The recording; null of an imported beat. */
                audio: components["schemas"]["StudioUpload"] | null;
                /** @description Null without one. */
                cover: components["schemas"]["StudioUpload"] | null;
                /** @description Null without any. */
                stems: components["schemas"]["StudioUpload"] | null;
                /** @description The producer's own tag; null for the service's or none. */
                preview_tag: components["schemas"]["StudioUpload"] | null;
            };
        };
        BeatChanges: {
            /** @description What the beat is called. */
            title?: string;
            /** @description A genre of `GET /genres`, by its id or its name. */
            genre?: string | number;
            /** @description The id of an upload of kind `audio`. */
            audio?: string;
            /**
             * Format: double
             * @description The basic license's, in the currency's main unit, at most two decimals.
             */
            price?: number;
            /** @description Changes those that are named. Null derives all three from `price` again. */
            license_prices?: {
                /** Format: double */
                premium?: number;
                /** Format: double */
                unlimited?: number;
                /** Format: double */
                exclusive?: number;
            } | null;
            /** @description Null takes what analysis tells. */
            bpm?: number | null;
            /** @description Null takes what analysis tells. */
            key?: string | null;
            description?: string | null;
            tags?: string[] | null;
            cover?: string | null;
            stems?: string | null;
            /** @description What is mixed into the preview every 15 seconds: `default`, the service's own tag; `none`; or the id of an upload of kind `audio`. */
            preview_tag?: string;
            /**
             * @description `published` puts a draft or a withdrawn beat on sale; `draft` stops the publishing of a beat that was never on sale.
             * @enum {string}
             */
            status?: "draft" | "published";
        };
        OfferedTerms: {
            version: string;
            title: string;
            /** @description The whole text, with the names of beat and producer. */
            blocks: {
                /** @enum {string} */
                kind: "heading" | "paragraph" | "item";
                text: string;
            }[];
        };
        OfferedLicense: {
            /** @enum {string} */
            type: "basic" | "premium" | "unlimited" | "exclusive";
            /** Format: double */
            price: number;
            available: boolean;
            /** @description What it brings if it is bought now. */
            files: ("mp3" | "wav" | "stems" | "license")[];
            terms: components["schemas"]["OfferedTerms"];
        };
        OrderRequest: {
            /**
             * Format: int64
             * @description The beat to buy.
             */
            beat_id: number;
            /** @description How to pay: the payment provider's identifier of a payment method, never a card number. With Stripe, the id of a payment method made with Stripe's own scripts. In the sandbox: pm_card_visa, pm_card_visa_debit, pm_card_mastercard, pm_card_mastercard_debit, pm_card_amex, pm_card_discover, pm_card_diners, pm_card_jcb, pm_card_unionpay, pm_card_authenticationRequired, pm_card_threeDSecure2Required, pm_card_visa_chargeDeclined, pm_card_visa_chargeDeclinedInsufficientFunds, pm_card_chargeDeclinedExpiredCard, pm_card_chargeDeclinedIncorrectCvc, pm_card_chargeDeclinedProcessingError, pm_card_pendingRefund or pm_card_refundFail. */
            payment_method: string;
            /**
             * @description The license to buy. An exclusive one sells once, and takes the beat out of the catalogue. Default: basic.
             * @enum {string}
             */
            license_type?: "basic" | "premium" | "unlimited" | "exclusive";
            /**
             * Format: double
             * @description The price that the buyer agreed to, in the currency's main unit. If the license costs another amount today, the order is 409 and nothing is charged.
             */
            expected_amount?: number;
            /** @description The currency that the buyer agreed to, ISO 4217. If prices are in another one, the order is 409. */
            currency?: string;
        };
        /** @description A license that the account bought, or tried to. */
        Order: {
            /** Format: int64 */
            id: number;
            /**
             * @description pending becomes completed or failed; both are final.
             * @enum {string}
             */
            status: "completed" | "pending" | "failed";
            /** @description As it was when it was bought. */
            beat: {
                /** Format: int64 */
                id: number;
                title: string;
                /** Format: int64 */
                producer_id: number;
                producer_name: string;
            };
            /** @enum {string} */
            license_type: "basic" | "premium" | "unlimited" | "exclusive";
            /**
             * Format: double
             * @description At most two decimals.
             */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            payment_method: string;
            /** @description A sentence; null unless failed. */
            failure_reason: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            created_at: string;
            /** @description Null unless completed. */
            completed_at: string | null;
            /**
             * Format: double
             * @description What was paid back of `amount`, by refunds and lost disputes. At most two decimals.
             */
            refunded_amount: number;
            /** @description When money was last paid back; null if none was. The order stays completed. */
            refunded_at: string | null;
            /** @description With Stripe: what Stripe's own scripts finish the payment with in the buyer's browser. Null unless pending. */
            client_secret: string | null;
            /** @description What the buyer has to do, such as 3-D Secure: open `url`. Null unless pending. */
            next_action: {
                /** @enum {string} */
                type: "redirect";
                /**
                 * Format: uri
                 * @description The page on which the buyer finishes the payment.
                 */
                url: string;
            } | null;
        };
        LibraryOrder: {
            /** Format: int64 */
            id: number;
            /**
             * @description pending becomes completed or failed; both are final.
             * @enum {string}
             */
            status: "completed" | "pending" | "failed";
            /** @description As it was when it was bought. */
            beat: {
                /** Format: int64 */
                id: number;
                title: string;
                /** Format: int64 */
                producer_id: number;
                producer_name: string;
            };
            /** @enum {string} */
            license_type: "basic" | "premium" | "unlimited" | "exclusive";
            /**
             * Format: double
             * @description At most two decimals.
             */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            payment_method: string;
            /** @description A sentence; null unless failed. */
            failure_reason: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            created_at: string;
            /** @description Null unless completed. */
            completed_at: string | null;
            /**
             * Format: double
             * @description What was paid back of `amount`, by refunds and lost disputes. At most two decimals.
             */
            refunded_amount: number;
            /** @description When money was last paid back; null if none was. The order stays completed. */
            refunded_at: string | null;
            /** @description With Stripe: what Stripe's own scripts finish the payment with in the buyer's browser. Null unless pending. */
            client_secret: string | null;
            /** @description What the buyer has to do, such as 3-D Secure: open `url`. Null unless pending. */
            next_action: {
                /** @enum {string} */
                type: "redirect";
                /**
                 * Format: uri
                 * @description The page on which the buyer finishes the payment.
                 */
                url: string;
            } | null;
            /**
             * Format: uri
             * @description The beat's cover as it is now.
             */
            cover_image: string;
            /** @description In full: it has no files any more. */
            is_refunded: boolean;
            /** @description Each file that was downloaded, with the first time. */
            downloads: {
                /** @enum {string} */
                kind: "mp3" | "wav" | "stems" | "license";
                /** Format: date-time */
                downloaded_at: string;
            }[];
        };
        /** @description A file of an order. Its `url` needs no key until it expires. */
        OrderFile: {
            /**
             * @description `mp3`: untagged, of 320 kbit/s; of a lossy recording at its own bit rate. `wav`: the recording, if it is lossless. `stems`: the producer's ZIP. `license`: the certificate, a PDF.
             * @enum {string}
             */
            kind: "mp3" | "wav" | "stems" | "license";
            /** @description What a browser saves it as. */
            filename: string;
            /**
             * Format: int64
             * @description Size of the file.
             */
            bytes: number;
            /** @description Hash of the file's bytes. */
            sha256: string;
            /**
             * Format: uri
             * @description Signed: a client that has it downloads the file until it expires, without a key. Resumes (`Range`).
             */
            url: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds: 15 minutes from now. A download under way is not cut off.
             */
            expires_at: string;
        };
        /** @description The license of an order. */
        IssuedLicense: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uri
             * @description The public page that says whether the license is valid.
             */
            url: string;
            /** @description The certificate's facts, signed (JWS, EdDSA) with a key of `/.well-known/jwks.json`. */
            jws: string;
            /** @enum {string} */
            type: "basic" | "premium" | "unlimited" | "exclusive";
            /** @description The version of the terms that it was sold under. */
            terms_version: string;
            /**
             * @description `refunded` once the order is refunded in full.
             * @enum {string}
             */
            status: "valid" | "refunded";
        };
        /** @description What a completed order brings. */
        OrderFiles: {
            /** @description What the license brings, in the order mp3, wav, stems, license. Empty once refunded in full. */
            files: components["schemas"]["OrderFile"][];
            license: components["schemas"]["IssuedLicense"];
        };
        Receipt: {
            order: components["schemas"]["Order"];
            /** @description The account, as it is now. Organisations have no address. */
            buyer: {
                name: string;
                email: string | null;
            };
            payment: {
                /** @description The provider that took the payment; `sandbox` takes none. */
                provider: string;
                /** @description The payment's id there. */
                reference: string | null;
            };
        };
        PortalSale: {
            /**
             * Format: int64
             * @description Identifier of the order.
             */
            id: number;
            /** @description With its title when it was bought. */
            beat: {
                /** Format: int64 */
                id: number;
                title: string;
            };
            /** @enum {string} */
            license_type: "basic" | "premium" | "unlimited" | "exclusive";
            /**
             * Format: double
             * @description At most two decimals.
             */
            amount: number;
            /**
             * Format: double
             * @description What of it went back to the buyer; 0 without a refund.
             */
            refunded_amount: number;
            /** @description ISO 4217. */
            currency: string;
            /** @description As their license names them. */
            buyer: {
                name: string;
            };
            /** @description Identifier of the license; null until it is issued. */
            license_id: string | null;
            /**
             * Format: int64
             * @description Files of the order that the buyer has downloaded.
             */
            downloads: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, whole seconds.
             */
            completed_at: string;
            /** @description Of the last refund; null without one. */
            refunded_at: string | null;
            /** @description The public page of the license; null until it is issued. */
            license_url: string | null;
        };
        AdminAccount: {
            /** Format: int64 */
            id: number;
            /** @description Null for an organisation. */
            email: string | null;
            username: string;
            name: string;
            operator: boolean;
            /** @description Its webhooks receive every purchase. */
            marketplace: boolean;
            producer: boolean;
            /** @description Null unless suspended. */
            suspension: {
                /** Format: date-time */
                at: string;
                reason: string;
            } | null;
            /** Format: int64 */
            active_keys: number;
            /** @description When a key of it was last used, to the minute; null: never. */
            last_used_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        AdminKey: {
            /** Format: int64 */
            id: number;
            name: string;
            ends_with: string;
            /** @enum {string} */
            plan: "standard" | "plus" | "partner" | "internal";
            permissions: string[];
            /** @enum {string} */
            state: "active" | "expired" | "revoked";
            /** Format: date-time */
            created_at: string;
            /** @description To the minute; null: never. */
            last_used_at: string | null;
            /** @description Empty without limits, and for keys that are not active. */
            windows: components["schemas"]["LimitWindow"][];
        };
        AdminAccountDetail: {
            /** Format: int64 */
            id: number;
            /** @description Null for an organisation. */
            email: string | null;
            username: string;
            name: string;
            operator: boolean;
            /** @description Its webhooks receive every purchase. */
            marketplace: boolean;
            producer: boolean;
            /** @description Null unless suspended. */
            suspension: {
                /** Format: date-time */
                at: string;
                reason: string;
            } | null;
            /** Format: int64 */
            active_keys: number;
            /** @description When a key of it was last used, to the minute; null: never. */
            last_used_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description Newest first, at most 50. */
            keys: components["schemas"]["AdminKey"][];
            /** @description The calls of the last 24 hours. */
            day: {
                /** Format: int64 */
                calls: number;
                /**
                 * Format: int64
                 * @description 4xx.
                 */
                refusals: number;
                /**
                 * Format: int64
                 * @description 5xx.
                 */
                failures: number;
                /** @description 95 % of the calls took no longer; null without calls. */
                p95_ms: number | null;
            };
            /** @description Of an organisation, owners first. */
            members: {
                /** Format: int64 */
                user_id: number;
                name: string;
                email: string;
                /**
                 * @description docs/organisations.md, Roles.
                 * @enum {string}
                 */
                role: "owner" | "developer" | "billing" | "viewer";
                /** Format: date-time */
                joined_at: string;
            }[];
            /** @description Of the portal, used last first, at most 20. `used_at` is to the day. */
            sessions: {
                /** Format: date-time */
                started_at: string;
                /** Format: date-time */
                used_at: string;
                user_agent: string;
            }[];
        };
        AccountReference: {
            /** Format: int64 */
            user_id: number;
            /** @description Null for an organisation, and without an account. */
            email: string | null;
            /** @description The username of an organisation; null for everybody else. */
            organisation: string | null;
        };
        AdminOrder: {
            /** Format: int64 */
            id: number;
            /** @enum {string} */
            status: "completed" | "pending" | "failed";
            buyer: components["schemas"]["AccountReference"];
            beat: {
                /** Format: int64 */
                id: number;
                title: string;
                /** Format: int64 */
                producer_id: number;
                producer_name: string;
            };
            license_type: string;
            /**
             * Format: double
             * @description In the order's currency.
             */
            amount: number;
            currency: string;
            /**
             * Format: double
             * @description In the order's currency.
             */
            refunded_amount: number;
            /** @description In full. */
            is_refunded: boolean;
            /** Format: date-time */
            created_at: string;
        };
        AdminRefund: {
            /** Format: int64 */
            id: number;
            /**
             * Format: double
             * @description In the order's currency.
             */
            amount: number;
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed";
            /** @enum {string} */
            origin: "operator" | "provider" | "unfulfilled";
            /** @description The provider's id; null until it is known. */
            reference: string | null;
            /** @description Null unless failed. */
            failure_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description Null while pending. */
            settled_at: string | null;
        };
        AdminOrderDetail: {
            /** Format: int64 */
            id: number;
            /** @enum {string} */
            status: "completed" | "pending" | "failed";
            buyer: components["schemas"]["AccountReference"];
            beat: {
                /** Format: int64 */
                id: number;
                title: string;
                /** Format: int64 */
                producer_id: number;
                producer_name: string;
            };
            license_type: string;
            /**
             * Format: double
             * @description In the order's currency.
             */
            amount: number;
            currency: string;
            /**
             * Format: double
             * @description In the order's currency.
             */
            refunded_amount: number;
            /** @description In full. */
            is_refunded: boolean;
            /** Format: date-time */
            created_at: string;
            payment: {
                provider: string;
                method: string;
                /** @description The provider's id; null before it is known. */
                reference: string | null;
            };
            /** @description Null unless failed. */
            failure_reason: string | null;
            /** @description Of the call that placed it. */
            request_id: string | null;
            /** @description Null unless completed. */
            completed_at: string | null;
            /**
             * Format: double
             * @description What a refund may take at most, disputes apart.
             */
            refundable_amount: number;
            refunds: components["schemas"]["AdminRefund"][];
            disputes: {
                reference: string;
                /**
                 * Format: double
                 * @description In the order's currency.
                 */
                amount: number;
                reason: string;
                /** @enum {string} */
                status: "open" | "won" | "lost";
                /** @description The bank has taken the money. */
                is_withdrawn: boolean;
                /** Format: date-time */
                opened_at: string;
                /** @description Null while open. */
                closed_at: string | null;
            }[];
            /** @description Null until its files were asked for. */
            certificate: {
                url: string;
                /** Format: date-time */
                issued_at: string;
            } | null;
            downloads: {
                kind: string;
                /** Format: date-time */
                downloaded_at: string;
            }[];
            /** @description The movements of money, oldest first. */
            ledger: {
                /** Format: int64 */
                id: number;
                kind: string;
                /** Format: date-time */
                at: string;
                entries: {
                    account: string;
                    /**
                     * Format: double
                     * @description Debits are positive.
                     */
                    amount: number;
                }[];
            }[];
        };
        FleetEndpoint: {
            /** Format: int64 */
            id: number;
            /**
             * @description An inbox receives within the service.
             * @enum {string}
             */
            kind: "http" | "inbox";
            /** @description Empty for an inbox. */
            url: string;
            description: string;
            /** @description Null: every type, those to come included. */
            event_types: ("beat.created" | "beat.updated" | "beat.purchased" | "order.refunded" | "order.failed" | "upload.ready" | "upload.rejected" | "beat.publishing_failed" | "user.registered" | "user.updated")[] | null;
            /** @description One delivery at a time, in the order of the events. */
            ordered: boolean;
            /** @enum {string} */
            state: "enabled" | "disabled";
            /** @description Null unless disabled. */
            disabled_at: string | null;
            /** @description A sentence; null unless disabled. */
            disabled_reason: string | null;
            /** @description The first failed attempt since the last success. */
            failing_since: string | null;
            /** @description Of the last failed attempt, in words. */
            last_error: string | null;
            /** @description To the minute while all goes well. */
            last_success_at: string | null;
            /** @description Null when no attempt has failed. */
            last_failure_at: string | null;
            /** @description Until then the secret before the present one signs too. */
            previous_secret_until: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /** @description The user who made it; null: an operator, or nobody recorded who. */
            created_by: number | null;
            owner: {
                /** Format: int64 */
                user_id: number;
                /** @description Null for an organisation, and without an account. */
                email: string | null;
                /** @description The username of an organisation; null for everybody else. */
                organisation: string | null;
                /** @description Its deliveries wait. */
                suspended: boolean;
            };
            /** Format: int64 */
            consecutive_failures: number;
            /**
             * Format: int64
             * @description Counted up to 1000.
             */
            pending: number;
            /**
             * Format: int64
             * @description Counted up to 1000.
             */
            failed: number;
            /**
             * Format: int64
             * @description Counted up to 1000.
             */
            skipped: number;
            /** @description When the event of the oldest pending delivery happened. */
            oldest_pending_at: string | null;
        };
        AdminCall: {
            /** Format: int64 */
            id: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            time: string;
            request_id: string;
            key: {
                /** Format: int64 */
                id: number;
                /** @description Null once the key is forgotten. */
                name: string | null;
                /** @description The last characters of the key. */
                ends_with: string | null;
            };
            method: string;
            /** @description As called. */
            path: string;
            /** @description As called, without the question mark. */
            query: string;
            /** @description Null where the path is none of ours. */
            operation: string | null;
            /** Format: int64 */
            status: number;
            /** Format: double */
            duration_ms: number;
            /** @description Null unless it was refused or failed. */
            error_code: string | null;
            /** @description The window, permission or parameter that stood in the way. */
            refused_by: string | null;
            /** @description Null for calls with an unknown key. */
            account: components["schemas"]["AccountReference"] | null;
        };
        AdminErrors: {
            /** @description Most frequent first, at most 100. Times are to the minute in the last hour, else to the hour. */
            errors: {
                /** Format: int64 */
                status: number;
                /** @description The window, permission or parameter that stood in the way. */
                refused_by: string;
                /** @description Why, in words. */
                reason: string;
                /** @description "none" for paths that are none of ours. */
                operation: string;
                /** Format: int64 */
                calls: number;
                /** Format: int64 */
                accounts: number;
                /** Format: date-time */
                first_at: string;
                /** Format: date-time */
                last_at: string;
            }[];
            /** @description Why limits that instances share are counted by this one alone; null where nothing is wrong. */
            limits_problem: string | null;
        };
        AdminAuditEntry: {
            /** Format: int64 */
            id: number;
            /** Format: date-time */
            time: string;
            /** @description For programs: api_key.created. */
            action: string;
            /** @description For people: API key created. */
            what: string;
            /** @description What it was done to; empty for the account itself. */
            subject: string;
            account: components["schemas"]["AccountReference"];
            /**
             * @description The account's owner, an operator in the portal, or a command.
             * @enum {string}
             */
            by: "owner" | "operator" | "command";
            /** @description The operator who acted in the portal. */
            operator: components["schemas"]["AccountReference"] | null;
            /** @description Empty for a command. */
            client_address: string;
            user_agent: string;
        };
        AdminImport: {
            /** Format: int64 */
            id: number;
            /**
             * @description interrupted: stopped by a signal, or killed.
             * @enum {string}
             */
            state: "running" | "finished" | "failed" | "interrupted";
            /** @description Without its folder. */
            file: string;
            /** @description Without its folder. */
            mapping: string;
            /**
             * @description Who imports: the command `beatmarket import`.
             * @constant
             */
            by: "command";
            /** Format: date-time */
            started_at: string;
            /** @description Null while it runs. */
            ended_at: string | null;
            /**
             * Format: int64
             * @description Rows read so far.
             */
            read_rows: number;
            /** Format: int64 */
            created: number;
            /** Format: int64 */
            updated: number;
            /** Format: int64 */
            unchanged: number;
            /** Format: int64 */
            rejected: number;
            /**
             * Format: int64
             * @description Of the file as stored, compressed or not.
             */
            read_bytes: number;
            /** @description Null for standard input. */
            size_bytes: number | null;
            /** @description Why it failed or was interrupted. */
            error: string | null;
        };
        AdminImportDetail: {
            /** Format: int64 */
            id: number;
            /**
             * @description interrupted: stopped by a signal, or killed.
             * @enum {string}
             */
            state: "running" | "finished" | "failed" | "interrupted";
            /** @description Without its folder. */
            file: string;
            /** @description Without its folder. */
            mapping: string;
            /**
             * @description Who imports: the command `beatmarket import`.
             * @constant
             */
            by: "command";
            /** Format: date-time */
            started_at: string;
            /** @description Null while it runs. */
            ended_at: string | null;
            /**
             * Format: int64
             * @description Rows read so far.
             */
            read_rows: number;
            /** Format: int64 */
            created: number;
            /** Format: int64 */
            updated: number;
            /** Format: int64 */
            unchanged: number;
            /** Format: int64 */
            rejected: number;
            /**
             * Format: int64
             * @description Of the file as stored, compressed or not.
             */
            read_bytes: number;
            /** @description Null for standard input. */
            size_bytes: number | null;
            /** @description Why it failed or was interrupted. */
            error: string | null;
            /** @description Why rows were rejected, the most frequent first. */
            reasons: {
                reason: string;
                /** Format: int64 */
                times: number;
                first_lines: number[];
            }[];
            /** @description The first 50 rejected rows; the file has up to 1,000. */
            rejects: {
                /**
                 * Format: int64
                 * @description In the file.
                 */
                line: number;
                reason: string;
                /** @description Up to 500 characters. */
                row: string;
            }[];
        };
        ErrorResponse: {
            /** @constant */
            status: "error";
            error: {
                /** @enum {string} */
                code: "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "rate_limit_exceeded" | "server_error";
                /** @description Short text. */
                message: string;
                /** @description What exactly is wrong, and what to do. */
                details: string;
            };
        };
    };
    responses: {
        /** @description A parameter or body field is missing, unknown, repeated, of the wrong type or out of range. */
        Error400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Nobody is signed in, or the password is wrong. */
        Error401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The request does not come from a page of the portal, needs a sign-in of the last 15 minutes (`WWW-Authenticate` says so), or is not in the member's role. */
        Error403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description It does not exist, or belongs to somebody else. */
        Error404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description It stands against what has happened before; details say what. */
        Error409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description It changed after the state that If-Match names. */
        Error412: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The body has more than 100 kB. */
        Error413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The body is not JSON. */
        Error415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Too many tries; Retry-After says when to come back. */
        Error429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Something unexpected went wrong on our side. */
        Error500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The service is overloaded or its database is out of reach. */
        Error503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["Error400"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description An e-mail address, in any case. */
                    email: string;
                    password: string;
                    /** @description The path below `/portal` to open after signing in. */
                    next?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    confirmRegistration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What stands behind # in the mailed link. */
                    token: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An e-mail address, in any case. */
                    email: string;
                    password: string;
                    /** @description Of the authenticator, or a recovery code. */
                    code?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    challengePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyChallenge"];
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signInWithPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    credential: string;
                    client_data: string;
                    authenticator_data: string;
                    signature: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signInAsDemo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current_password: string;
                    new_password: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An e-mail address, in any case. */
                    email: string;
                    /** @description The path below `/portal` to open after signing in. */
                    next?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What stands behind # in the mailed link. */
                    token: string;
                    password: string;
                    /** @description Whether API keys and webhook endpoints go on that were made since a new device signed in. Without it they are revoked, and endpoints disabled, if one did in the last 30 days. Default: false. */
                    keep_credentials?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getOwnProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateOwnProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileFields"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    requestEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An e-mail address, in any case. */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    confirmEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What stands behind # in the mailed link. */
                    token: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    undoEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What stands behind # in the mailed link. */
                    token: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description This one first, then those used last. Of the demo account, which everybody shares, this one alone. */
                        sessions: components["schemas"]["AccountSession"][];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: int64
                         * @description How many.
                         */
                        ended: number;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAccountSecurity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountSecurity"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    proposeAuthenticator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProposedAuthenticator"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    addAuthenticator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    secret: string;
                    recovery_codes: string[];
                    proof: string;
                    code: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    removeAuthenticator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    replaceRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        recovery_codes: string[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    offerPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOffer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    credential: string;
                    client_data: string;
                    attestation: string;
                    transports: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                passkey_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    renamePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                passkey_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    eraseAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An e-mail address, in any case. */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Only older entries than this one. */
                before?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        entries: components["schemas"]["AuditEntry"][];
                        /** @description What `before` takes for older ones. */
                        next: number | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: int64
                         * @description Its user.
                         */
                        id: number;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    actAs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: int64
                     * @description The organisation's user, or one's own.
                     */
                    user_id: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organisation"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getOrganisationProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateOrganisationProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileFields"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    eraseOrganisation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The organisation's. */
                    username: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listOrganisationAudit: {
        parameters: {
            query?: {
                /** @description Only older entries than this one. */
                before?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        entries: components["schemas"]["AuditEntry"][];
                        /** @description What `before` takes for older ones. */
                        next: number | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listMemberCredentials: {
        parameters: {
            query?: {
                /** @description The role to be; absent: no member any more. */
                role?: "owner" | "developer" | "billing" | "viewer";
            };
            header?: never;
            path: {
                /** @description The member's user. */
                user_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberCredentials"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    removeMember: {
        parameters: {
            query?: {
                /** @description Whether API keys, webhook endpoints and invitations go on that the member made and may not make any more. Without it they are revoked, and endpoints disabled. */
                keep_credentials?: boolean;
            };
            header?: never;
            path: {
                /** @description The member's user. */
                user_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeRole: {
        parameters: {
            query?: {
                /** @description Whether API keys, webhook endpoints and invitations go on that the member made and may not make any more. Without it they are revoked, and endpoints disabled. */
                keep_credentials?: boolean;
            };
            header?: never;
            path: {
                /** @description The member's user. */
                user_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description docs/organisations.md, Roles.
                     * @enum {string}
                     */
                    role: "owner" | "developer" | "billing" | "viewer";
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    leaveOrganisation: {
        parameters: {
            query?: {
                /** @description Whether API keys, webhook endpoints and invitations go on that the member made and may not make any more. Without it they are revoked, and endpoints disabled. */
                keep_credentials?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    transferOwnership: {
        parameters: {
            query?: {
                /** @description Whether API keys, webhook endpoints and invitations go on that the member made and may not make any more. Without it they are revoked, and endpoints disabled. */
                keep_credentials?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: int64 */
                    user_id: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An e-mail address, in any case. */
                    email: string;
                    /**
                     * @description docs/organisations.md, Roles.
                     * @enum {string}
                     */
                    role: "owner" | "developer" | "billing" | "viewer";
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    resendInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the invitation. */
                invitation_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the invitation. */
                invitation_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    findInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What stands behind # in the mailed link. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationOffer"];
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What stands behind # in the mailed link. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    registerByInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What stands behind # in the mailed link. */
                    token: string;
                    name: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    findClaim: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What stands behind # in the mailed link. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferedClaim"];
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    proveClaim: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What stands behind # in the mailed link. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProvenClaim"];
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getHome: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Home"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Active ones first, then newest first. */
                        keys: components["schemas"]["ApiKey"][];
                        /**
                         * Format: int64
                         * @description How many active keys an account may have.
                         */
                        max_active: number;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What the key is for. */
                    name: string;
                    permissions: ("beats:read" | "beats:write" | "genres:read" | "users:read" | "producers:read" | "search:read" | "events:read" | "orders:read" | "orders:write" | "sales:read" | "profile:write")[];
                    /** @description From 1 to 3,650; null: never. Default: null. */
                    expires_in_days?: number | null;
                    proposed: components["schemas"]["ProposedKey"];
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedKey"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    proposeKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProposedKey"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getKeyLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The active keys, oldest first. */
                        keys: {
                            /** Format: int64 */
                            id: number;
                            /** @description Empty without limits. */
                            windows: components["schemas"]["LimitWindow"][];
                        }[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the key. */
                key_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: int64
                     * @description How long the old key still works: 0 to 720.
                     */
                    overlap_hours: number;
                    proposed: components["schemas"]["ProposedKey"];
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedKey"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getKeyUse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the key. */
                key_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyUse"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the key. */
                key_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listViews: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description By name, at most 50. */
                        views: components["schemas"]["SavedView"][];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createView: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description The query string of the page's address, without the question mark. */
                    query: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedView"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the saved view. */
                view_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the saved view. */
                view_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description The query string of the page's address, without the question mark. */
                    query?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedView"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listCalls: {
        parameters: {
            query?: {
                /** @description Only calls answered so. */
                class?: "2xx" | "3xx" | "4xx" | "5xx";
                /** @description Only calls with this status. */
                status?: number;
                /** @description Only calls refused with this code. */
                code?: "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "rate_limit_exceeded" | "server_error";
                /** @description Only calls with this method. */
                method?: string;
                /** @description Only calls of this operation; "none" for paths that are none of ours. */
                operation?: string;
                /** @description Only calls whose path, as it was called, contains this. */
                path?: string;
                /** @description Only calls made with this key. */
                key?: number;
                /** @description Calls from then on, ISO 8601. */
                from?: string;
                /** @description Calls before then, ISO 8601. */
                to?: string;
                /** @description Only calls that took so many milliseconds or more. */
                min_ms?: number;
                /** @description Found in path, query, error details, request id or user agent. */
                text?: string;
                /** @description The page behind this, as `next` of the one before has it. */
                before?: string;
                /** @description Calls of a page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. Fewer than `limit` with a `next`: the search goes on there. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        calls: components["schemas"]["LoggedCall"][];
                        /** @description What `before` takes for the next page; null when all was searched. */
                        next: string | null;
                        /** @description The oldest call looked at; null when all was searched. */
                        searched_to: string | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listCallKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first, revoked and expired ones too. */
                        keys: {
                            /** Format: int64 */
                            id: number;
                            name: string;
                            ends_with: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getCallHistogram: {
        parameters: {
            query?: {
                /** @description Only calls answered so. */
                class?: "2xx" | "3xx" | "4xx" | "5xx";
                /** @description Only calls with this status. */
                status?: number;
                /** @description Only calls refused with this code. */
                code?: "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "rate_limit_exceeded" | "server_error";
                /** @description Only calls with this method. */
                method?: string;
                /** @description Only calls of this operation; "none" for paths that are none of ours. */
                operation?: string;
                /** @description Only calls whose path, as it was called, contains this. */
                path?: string;
                /** @description Only calls made with this key. */
                key?: number;
                /** @description Calls from then on, ISO 8601. */
                from?: string;
                /** @description Calls before then, ISO 8601. */
                to?: string;
                /** @description Only calls that took so many milliseconds or more. */
                min_ms?: number;
                /** @description Found in path, query, error details, request id or user agent. */
                text?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallHistogram"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the log entry. */
                call_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedCallDetail"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAnalytics: {
        parameters: {
            query?: {
                /** @description How far to look back from now, without `from`. */
                span?: "hour" | "day" | "week" | "month";
                /** @description Calls from then on, ISO 8601. */
                from?: string;
                /** @description Calls before then, ISO 8601; without it up to now. */
                to?: string;
                /** @description Only calls made with this key. */
                key?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Analytics"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        endpoints: components["schemas"]["WebhookEndpointHealth"][];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhookEndpoint"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        endpoint: components["schemas"]["WebhookEndpoint"];
                        /** @description Signs every delivery. */
                        secret: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listWebhookNotices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Those that are disabled or failing, disabled ones first. */
                        endpoints: components["schemas"]["WebhookEndpoint"][];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createWebhookInbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the endpoint. */
                endpoint_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointHealth"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the endpoint. */
                endpoint_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the endpoint. */
                endpoint_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointChange"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    disableWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the endpoint. */
                endpoint_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    enableWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the endpoint. */
                endpoint_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Whether to deliver what was skipped, too. */
                    replay: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        endpoint: components["schemas"]["WebhookEndpoint"];
                        /**
                         * Format: int64
                         * @description Skipped deliveries that are on their way.
                         */
                        replayed: number;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    revealWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the endpoint. */
                endpoint_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the endpoint. */
                endpoint_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: int32
                     * @description How long the old secret signs too.
                     */
                    overlap_hours: number;
                    /** @description Also while the secret before the old one still signs, which stops at once. Without it: 409 until then. */
                    force?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries in this state. */
                state?: "pending" | "sending" | "succeeded" | "failed" | "skipped";
                /** @description Only events of this type. */
                type?: "beat.created" | "beat.updated" | "beat.purchased" | "order.refunded" | "order.failed" | "upload.ready" | "upload.rejected" | "beat.publishing_failed" | "user.registered" | "user.updated";
                /** @description Events from then on, ISO 8601. */
                from?: string;
                /** @description Events before then, ISO 8601. */
                to?: string;
                /** @description The page behind this event. */
                older_than?: string;
                /** @description The page before this event. */
                newer_than?: string;
                /** @description Deliveries of a page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the endpoint. */
                endpoint_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: components["schemas"]["WebhookDelivery"][];
                        /** @description What newer_than takes for the page of newer events; null on the first. */
                        newer: string | null;
                        /** @description What older_than takes for the page of older events; null on the last. */
                        older: string | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the delivery. */
                delivery_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetail"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getWebhookDeliveryCurl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the delivery. */
                delivery_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description A line for a POSIX shell, signed at this moment. */
                        curl: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the delivery. */
                delivery_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetail"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    sendTestWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the endpoint. */
                endpoint_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "beat.created" | "beat.updated" | "beat.purchased" | "order.refunded" | "order.failed" | "upload.ready" | "upload.rejected" | "beat.publishing_failed" | "user.registered" | "user.updated";
                };
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        delivery_id: number;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    previewWebhookReplay: {
        parameters: {
            query: {
                /** @description Which deliveries to send: failed ones, skipped ones, both, or all of a time range, including succeeded ones and events without a delivery. */
                which: "failed" | "skipped" | "undelivered" | "all";
                /** @description Events from then on, ISO 8601. Needed for all. */
                from?: string;
                /** @description Events before then, ISO 8601. */
                to?: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the endpoint. */
                endpoint_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: int64
                         * @description Deliveries that would be sent; one more than `limit` stands for any number above.
                         */
                        count: number;
                        /**
                         * Format: int64
                         * @description The most that one replay takes.
                         */
                        limit: number;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    replayWebhookDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the endpoint. */
                endpoint_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookReplay"];
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        replayed: number;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listWebhookReceipts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the endpoint. */
                endpoint_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        receipts: components["schemas"]["WebhookReceipt"][];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getWebhookReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the receipt. */
                receipt_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReceiptDetail"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    diagnoseWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEvidence"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDiagnosis"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listExplorerKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Oldest first. */
                        keys: components["schemas"]["ExplorerKey"][];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getExplorerLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the key. */
                key_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplorerLimits"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getStudioOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description By name. */
                        genres: {
                            /** Format: int64 */
                            id: number;
                            name: string;
                            /** @description Of a tempo that analysis tells, its half and its double, the one within is taken; null takes it as it is. */
                            octave: {
                                /** Format: double */
                                least: number;
                                /** Format: double */
                                most: number;
                            } | null;
                        }[];
                        /** @description Of all prices, by ISO 4217. */
                        currency: string;
                        /** @description What a license costs that has no price of its own: its percentage of the basic price, rounded up to the next price with these cents. */
                        price_rule: {
                            /** Format: int64 */
                            premium_percent: number;
                            /** Format: int64 */
                            unlimited_percent: number;
                            /** Format: int64 */
                            exclusive_percent: number;
                            /** Format: int64 */
                            ending_cents: number;
                        };
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listStudioUploads: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Those that no beat uses, newest first, at most 100. */
                        uploads: components["schemas"]["StudioUpload"][];
                        /** @description How much of the storage the account's files take, and may take. */
                        storage: {
                            /**
                             * Format: int64
                             * @description Uploads that are on their way or ready, and the files of beats in every state.
                             */
                            used_bytes: number;
                            /** @description What the account's plan allows; null without a bound. */
                            max_bytes: number | null;
                        };
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getStudioUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the upload, such as `upl_` and 22 letters and digits. */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        upload: components["schemas"]["StudioUpload"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    retryStudioUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the upload, such as `upl_` and 22 letters and digits. */
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        upload: components["schemas"]["StudioUpload"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listStudioBeats: {
        parameters: {
            query?: {
                /** @description Only beats with this status. */
                status?: "draft" | "processing" | "published" | "withdrawn";
                /** @description Page number, from 1. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first, 20 a page. */
                        beats: components["schemas"]["BeatDetail"][];
                        /** @description Those of the beats of which nothing can change, since their exclusive license is held or sold. */
                        frozen: {
                            /** Format: int64 */
                            beat_id: number;
                            /**
                             * @description The exclusive license. Nothing of the beat can change while it is held, or once it is sold.
                             * @enum {string}
                             */
                            exclusive: "available" | "held" | "sold";
                        }[];
                        /** Format: int64 */
                        page: number;
                        /** Format: int64 */
                        last_page: number;
                        /** @description How many beats the account has with each status. */
                        counts: {
                            /** Format: int64 */
                            draft: number;
                            /** Format: int64 */
                            processing: number;
                            /** Format: int64 */
                            published: number;
                            /** Format: int64 */
                            withdrawn: number;
                        };
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createStudioBeat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BeatFields"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StudioBeat"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getStudioBeat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the beat. */
                beat_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StudioBeat"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    withdrawStudioBeat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the beat. */
                beat_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            412: components["responses"]["Error412"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeStudioBeat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the beat. */
                beat_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BeatChanges"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StudioBeat"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getMarketOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Of all prices, by ISO 4217. */
                        currency: string;
                        /**
                         * @description Who charges new orders.
                         * @enum {string}
                         */
                        provider: "sandbox" | "stripe";
                        /** @description All methods of the sandbox; empty with Stripe, whose methods are the buyer's own. */
                        payment_methods: {
                            id: string;
                            /** @description What comes of it, in a sentence. */
                            does: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getMarketBeat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the beat. */
                beat_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        beat: components["schemas"]["BeatDetail"];
                        /** @description Nobody buys from themselves. */
                        is_own: boolean;
                        /** @description Licenses of the beat that the account has, or is paying for: the newest order of each. */
                        owned: {
                            /** @enum {string} */
                            license_type: "basic" | "premium" | "unlimited" | "exclusive";
                            /** Format: int64 */
                            order_id: number;
                            /** @enum {string} */
                            status: "completed" | "pending";
                        }[];
                        licenses: components["schemas"]["OfferedLicense"][];
                        /** @description Characters of the title, the producer's or the account's name that the PDF certificate prints as boxes; at most ten. */
                        unprintable: string[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createMarketOrder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderRequest"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listLibrary: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first, 10 a page. */
                        orders: components["schemas"]["LibraryOrder"][];
                        /** Format: int64 */
                        page: number;
                        /** Format: int64 */
                        last_page: number;
                        /** Format: int64 */
                        total: number;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listLibraryFiles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the order. */
                order_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderFiles"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the order. */
                order_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listPortalSales: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Only sales completed at this time or later, ISO 8601. A date alone is its first moment, UTC. */
                from?: string;
                /** @description Only sales completed before this time, ISO 8601. A date alone is its first moment, UTC. */
                to?: string;
                /** @description Only sales of this beat. */
                beat?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first, 20 a page. */
                        sales: components["schemas"]["PortalSale"][];
                        /** Format: int64 */
                        page: number;
                        /** Format: int64 */
                        last_page: number;
                        /** @description Of all sales that the filters pass, on all pages: one for each currency, none without sales. */
                        sums: {
                            /** @description ISO 4217. */
                            currency: string;
                            /** Format: int64 */
                            sales: number;
                            /**
                             * Format: double
                             * @description At most two decimals.
                             */
                            sold: number;
                            /**
                             * Format: double
                             * @description At most two decimals.
                             */
                            refunded: number;
                            /**
                             * Format: double
                             * @description At most two decimals.
                             */
                            net: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listSoldBeats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Last sold first, at most 200. */
                        beats: {
                            /** Format: int64 */
                            id: number;
                            title: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAdminAccounts: {
        parameters: {
            query?: {
                /** @description An id, the beginning of an address or name, the last four characters of a key, or its SHA-256 in hexadecimal. */
                q?: string;
                /** @description Only these. */
                kind?: "suspended" | "operators" | "organisations";
                /** @description Only ids below: `next` of the page before. */
                before?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        accounts: components["schemas"]["AdminAccount"][];
                        /** @description What `before` takes for the next page; null on the last one. */
                        next: number | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAdminAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the account. */
                user_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAccountDetail"];
                };
            };
            400: components["responses"]["Error400"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    suspendAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the account. */
                user_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why: a sentence. The account's owner reads it. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAccountDetail"];
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    unsuspendAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the account. */
                user_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why: a sentence. The account's owner reads it. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAccountDetail"];
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeKeyPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the key. */
                key_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    plan: "standard" | "plus" | "partner" | "internal";
                    /** @description Why: a sentence. The account's owner reads it. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminKey"];
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    revokeAnyKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the key. */
                key_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why: a sentence. The account's owner reads it. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminKey"];
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAdminOrders: {
        parameters: {
            query?: {
                /** @description The buyer's address, or the payment's id at its provider. */
                q?: string;
                /** @description Only of this account. */
                buyer?: number;
                /** @description Only in this state. */
                status?: "completed" | "pending" | "failed";
                /** @description Only ids below: `next` of the page before. */
                before?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        orders: components["schemas"]["AdminOrder"][];
                        /** @description What `before` takes for the next page; null on the last one. */
                        next: number | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAdminOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the order. */
                order_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminOrderDetail"];
                };
            };
            400: components["responses"]["Error400"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    refundOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the order. */
                order_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description With at most two decimals. Null: all that is left, which ends the license. */
                    amount: number | null;
                    /** @description Why: a sentence. The account's owner reads it. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminRefund"];
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listWebhookFleet: {
        parameters: {
            query?: {
                /** @description failing: enabled, and the last attempt failed. waiting: deliveries were due a minute ago. */
                health?: "failing" | "disabled" | "waiting";
                /** @description Only of this account. */
                account?: number;
                /** @description The page behind this, as `next` of the one before has it. */
                before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Most pending deliveries first, then newest. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        endpoints: components["schemas"]["FleetEndpoint"][];
                        /** @description What `before` takes for the next page; null on the last one. */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    enableAnyWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the endpoint. */
                endpoint_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Whether to deliver what was skipped, too. */
                    replay: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        endpoint: components["schemas"]["WebhookEndpoint"];
                        /**
                         * Format: int64
                         * @description Skipped deliveries that are on their way.
                         */
                        replayed: number;
                    };
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    disableAnyWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the endpoint. */
                endpoint_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why: a sentence. The account's owner reads it. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    replayAnyWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the endpoint. */
                endpoint_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        replayed: number;
                    };
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAdminCalls: {
        parameters: {
            query?: {
                /** @description Only of this account; 0: with unknown keys. */
                account?: number;
                /** @description Only calls answered so. */
                class?: "2xx" | "3xx" | "4xx" | "5xx";
                /** @description Only with this status. */
                status?: number;
                /** @description Only of this operation; "none" for paths that are none of ours. */
                operation?: string;
                /** @description Calls from then on, ISO 8601; the last 24 hours without it, unless a request id is searched. */
                from?: string;
                /** @description Calls before then, ISO 8601. */
                to?: string;
                /** @description Found in path, query, error details, request id or user agent. */
                text?: string;
                /** @description The page behind this, as `next` of the one before has it. */
                before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. Fewer than 50 with a `next`: the search goes on there. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        calls: components["schemas"]["AdminCall"][];
                        /** @description What `before` takes for the next page; null when all was searched. */
                        next: string | null;
                        /** @description The oldest call looked at; null when all was searched. */
                        searched_to: string | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAdminCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the log entry. */
                call_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedCallDetail"];
                };
            };
            400: components["responses"]["Error400"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAdminErrors: {
        parameters: {
            query?: {
                /** @description How far to look back. */
                span?: "hour" | "day" | "week";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminErrors"];
                };
            };
            400: components["responses"]["Error400"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAdminAudit: {
        parameters: {
            query?: {
                /** @description Only in the log of this account. */
                account?: number;
                /** @description owners, operators (commands too), or the id of an operator's account. */
                actor?: string;
                /** @description Only this action. */
                action?: "account.registered" | "account.signed_in" | "account.signed_in_on_new_device" | "account.signed_out" | "account.password_changed" | "account.password_reset" | "account.session_ended" | "account.sessions_ended" | "account.email_change_asked" | "account.email_changed" | "account.email_undone" | "account.authenticator_added" | "account.authenticator_removed" | "account.recovery_codes_replaced" | "account.recovery_code_used" | "account.passkey_added" | "account.passkey_removed" | "account.exported" | "account.erased" | "account.operator_marked" | "account.operator_unmarked" | "account.suspended" | "account.unsuspended" | "api_key.created" | "api_key.rotated" | "api_key.revoked" | "api_key.plan_changed" | "organisation.created" | "organisation.member_invited" | "organisation.invitation_revoked" | "organisation.member_joined" | "organisation.role_changed" | "organisation.member_removed" | "organisation.member_left" | "organisation.transferred" | "organisation.profile_changed" | "order.refunded" | "producer.claim_created" | "producer.claim_revoked" | "producer.claimed" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.enabled" | "webhook_endpoint.disabled" | "webhook_endpoint.deleted" | "webhook_endpoint.secret_revealed" | "webhook_endpoint.secret_rotated" | "webhook_endpoint.replayed";
                /** @description Entries from then on, ISO 8601. */
                from?: string;
                /** @description Entries before then, ISO 8601. */
                to?: string;
                /** @description Only ids below: `next` of the page before. */
                before?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: components["schemas"]["AdminAuditEntry"][];
                        /** @description What `before` takes for the next page; null on the last one. */
                        next: number | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAdminImports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest 100, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        imports: components["schemas"]["AdminImport"][];
                    };
                };
            };
            400: components["responses"]["Error400"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAdminImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the import. */
                run_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminImportDetail"];
                };
            };
            400: components["responses"]["Error400"];
            404: components["responses"]["Error404"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
}

// Code generated from contract/openapi.json by npm run contract. DO NOT EDIT.

package beatmarket

// ListBeatsParams has the optional parameters of: List beats. A field with its zero value is not sent.
type ListBeatsParams struct {
	// The number of the page, from 1. Default 1.
	Page Opt[int] `query:"page"`

	// The number of results on a page. 1 to 100, default 20.
	Limit Opt[int] `query:"limit"`

	// Only beats of the genres with these ids.
	Genre []int `query:"genre"`

	// Only beats of the producers with these ids.
	Producer []int `query:"producer"`

	// Only beats of this `bpm` or faster. 1 to 999.
	BPMMin Opt[int] `query:"bpm_min"`

	// Only beats of this `bpm` or slower. 1 to 999.
	BPMMax Opt[int] `query:"bpm_max"`

	// Only beats of this `bpm`. Instead of `bpm_min` and `bpm_max`. 1 to 999.
	BPM Opt[int] `query:"bpm"`

	// The percentage by which a beat may differ from `bpm`. Default: 0. 0 to 50.
	BPMTolerance Opt[float64] `query:"bpm_tolerance"`

	// Whether beats of half and of double the `bpm` match as well. Default: false.
	HalfDouble Opt[bool] `query:"half_double"`

	// Only beats in these keys: `A minor`, `Am` or `8A` (Camelot); enharmonic spellings are the same key;
	// `unknown` for beats without one.
	Key []string `query:"key"`

	// Only beats that mix with this key: itself, its relative and its neighbours on the circle of fifths.
	// Spelled as in `key`.
	KeyCompatible string `query:"key_compatible"`

	// Only beats whose `price` is this or more.
	PriceMin Opt[float64] `query:"price_min"`

	// Only beats whose `price` is this or less.
	PriceMax Opt[float64] `query:"price_max"`

	// Only beats of this many seconds or more.
	DurationMin Opt[int] `query:"duration_min"`

	// Only beats of this many seconds or less.
	DurationMax Opt[int] `query:"duration_max"`

	// Only beats whose `created_at` is this time or later, ISO 8601. A date alone is its first second, UTC.
	CreatedAfter Time `query:"created_after"`

	// Only beats whose `created_at` is this time or earlier, ISO 8601. A date alone is its last second, UTC.
	CreatedBefore Time `query:"created_before"`

	// Only beats with one of these tags. Accents and case are ignored.
	Tag []string `query:"tag"`

	// Only beats with one of these licenses available.
	License []LicenseType `query:"license"`

	// The order of the list. Every order ends with the id, so pages never overlap. Default newest.
	Sort BeatSort `query:"sort"`

	// The properties to count beats by. Counts are exact and apply all filters except those on the same
	// property.
	Facets []FacetName `query:"facets"`

	// Ids of beats. Returns these beats in this order, with all details, also sold ones. Can be combined with
	// `fields` only.
	IDs []int `query:"ids"`

	// The fields to return of each object, by their names in the response. Fields that only the response of a
	// single beat has are allowed, too. All other fields are absent, although the schemas of responses describe
	// whole objects.
	Fields []string `query:"fields"`

	// MaxItems limits the items of all pages together.
	MaxItems Opt[int]
}

// ListSimilarBeatsParams has the optional parameters of: List similar beats. A field with its zero value is
// not sent.
type ListSimilarBeatsParams struct {
	// The number of similar beats. 1 to 20, default 5.
	Limit Opt[int] `query:"limit"`
}

// ListOwnBeatsParams has the optional parameters of: List your beats. A field with its zero value is not
// sent.
type ListOwnBeatsParams struct {
	// The number of the page, from 1. Default 1.
	Page Opt[int] `query:"page"`

	// The number of results on a page. 1 to 100, default 20.
	Limit Opt[int] `query:"limit"`

	// Only beats with this status.
	Status BeatStatus `query:"status"`

	// MaxItems limits the items of all pages together.
	MaxItems Opt[int]
}

// ListProducersParams has the optional parameters of: List producers. A field with its zero value is not
// sent.
type ListProducersParams struct {
	// The number of the page, from 1. Default 1.
	Page Opt[int] `query:"page"`

	// The number of results on a page. 1 to 100, default 20.
	Limit Opt[int] `query:"limit"`

	// The order of the list. Every order ends with the id, so pages never overlap. Default popular.
	Sort ProducerSort `query:"sort"`

	// MaxItems limits the items of all pages together.
	MaxItems Opt[int]
}

// SearchParams has the optional parameters of: Search beats and producers. A field with its zero value is not
// sent.
type SearchParams struct {
	// The types to search. Default all.
	Type SearchType `query:"type"`

	// The number of the page, from 1. Default 1.
	Page Opt[int] `query:"page"`

	// The largest number of beats, and of producers, on a page. 1 to 50, default 20.
	Limit Opt[int] `query:"limit"`

	// Only beats of the genres with these ids.
	Genre []int `query:"genre"`

	// Only beats of the producers with these ids.
	Producer []int `query:"producer"`

	// Only beats of this `bpm` or faster. 1 to 999.
	BPMMin Opt[int] `query:"bpm_min"`

	// Only beats of this `bpm` or slower. 1 to 999.
	BPMMax Opt[int] `query:"bpm_max"`

	// Only beats of this `bpm`. Instead of `bpm_min` and `bpm_max`. 1 to 999.
	BPM Opt[int] `query:"bpm"`

	// The percentage by which a beat may differ from `bpm`. Default: 0. 0 to 50.
	BPMTolerance Opt[float64] `query:"bpm_tolerance"`

	// Whether beats of half and of double the `bpm` match as well. Default: false.
	HalfDouble Opt[bool] `query:"half_double"`

	// Only beats in these keys: `A minor`, `Am` or `8A` (Camelot); enharmonic spellings are the same key;
	// `unknown` for beats without one.
	Key []string `query:"key"`

	// Only beats that mix with this key: itself, its relative and its neighbours on the circle of fifths.
	// Spelled as in `key`.
	KeyCompatible string `query:"key_compatible"`

	// Only beats whose `price` is this or more.
	PriceMin Opt[float64] `query:"price_min"`

	// Only beats whose `price` is this or less.
	PriceMax Opt[float64] `query:"price_max"`

	// Only beats of this many seconds or more.
	DurationMin Opt[int] `query:"duration_min"`

	// Only beats of this many seconds or less.
	DurationMax Opt[int] `query:"duration_max"`

	// Only beats whose `created_at` is this time or later, ISO 8601. A date alone is its first second, UTC.
	CreatedAfter Time `query:"created_after"`

	// Only beats whose `created_at` is this time or earlier, ISO 8601. A date alone is its last second, UTC.
	CreatedBefore Time `query:"created_before"`

	// Only beats with one of these tags. Accents and case are ignored.
	Tag []string `query:"tag"`

	// Only beats with one of these licenses available.
	License []LicenseType `query:"license"`

	// The order of the beats. Default relevance.
	Sort SearchSort `query:"sort"`

	// The properties to count beats by. Counts are exact and apply all filters except those on the same
	// property.
	Facets []FacetName `query:"facets"`

	// The fields to return of each object, by their names in the response. Fields that only the response of a
	// single beat has are allowed, too. All other fields are absent, although the schemas of responses describe
	// whole objects.
	Fields []string `query:"fields"`

	// Whether tempos, keys and prices in `q` become filters. With false, they are words like any other. Default
	// true.
	Interpret Opt[bool] `query:"interpret"`

	// MaxItems limits the items of all pages together.
	MaxItems Opt[int]
}

// ListOrdersParams has the optional parameters of: List your orders. A field with its zero value is not sent.
type ListOrdersParams struct {
	// The number of the page, from 1. Default 1.
	Page Opt[int] `query:"page"`

	// The number of results on a page. 1 to 100, default 20.
	Limit Opt[int] `query:"limit"`

	// Only orders in this state.
	Status OrderStatus `query:"status"`

	// MaxItems limits the items of all pages together.
	MaxItems Opt[int]
}

// ListSalesParams has the optional parameters of: List your sales. A field with its zero value is not sent.
type ListSalesParams struct {
	// The number of the page, from 1. Default 1.
	Page Opt[int] `query:"page"`

	// The number of results on a page. 1 to 100, default 20.
	Limit Opt[int] `query:"limit"`

	// Only sales completed at this time or later, ISO 8601. A date alone is its first moment in UTC.
	From Time `query:"from"`

	// Only sales completed before this time, ISO 8601. A date alone is its first moment in UTC.
	To Time `query:"to"`

	// Only sales of this beat.
	Beat Opt[int] `query:"beat"`

	// MaxItems limits the items of all pages together.
	MaxItems Opt[int]
}

// ListFavoritesParams has the optional parameters of: List your favorites. A field with its zero value is not
// sent.
type ListFavoritesParams struct {
	// The number of the page, from 1. Default 1.
	Page Opt[int] `query:"page"`

	// The number of results on a page. 1 to 100, default 20.
	Limit Opt[int] `query:"limit"`

	// MaxItems limits the items of all pages together.
	MaxItems Opt[int]
}

// ListFollowingParams has the optional parameters of: List the producers whom you follow. A field with its
// zero value is not sent.
type ListFollowingParams struct {
	// The number of the page, from 1. Default 1.
	Page Opt[int] `query:"page"`

	// The number of results on a page. 1 to 100, default 20.
	Limit Opt[int] `query:"limit"`

	// MaxItems limits the items of all pages together.
	MaxItems Opt[int]
}

// ListPlaylistsParams has the optional parameters of: List your playlists. A field with its zero value is not
// sent.
type ListPlaylistsParams struct {
	// The number of the page, from 1. Default 1.
	Page Opt[int] `query:"page"`

	// The number of results on a page. 1 to 100, default 20.
	Limit Opt[int] `query:"limit"`

	// MaxItems limits the items of all pages together.
	MaxItems Opt[int]
}

// ListUploadsParams has the optional parameters of: List your uploads. A field with its zero value is not
// sent.
type ListUploadsParams struct {
	// The number of the page, from 1. Default 1.
	Page Opt[int] `query:"page"`

	// The number of results on a page. 1 to 100, default 20.
	Limit Opt[int] `query:"limit"`

	// MaxItems limits the items of all pages together.
	MaxItems Opt[int]
}

// ListChangesParams has the optional parameters of: List changes of the catalogue. A field with its zero
// value is not sent.
type ListChangesParams struct {
	// Only changes after this position: the `next` of the previous response, or the `X-Change-Position` of an
	// export. Default: from the oldest stored change.
	After Opt[int] `query:"after"`

	// The maximum number of changes in a response. 1 to 1000, default 100.
	Limit Opt[int] `query:"limit"`

	// The number of seconds to wait for a change if there is none yet. The response is sent as soon as there is
	// one. 0 to 30, default 0.
	Wait Opt[int] `query:"wait"`
}

// ListEventsParams has the optional parameters of: List your events. A field with its zero value is not sent.
type ListEventsParams struct {
	// Only events after this position: the `next` of the previous response. Default: from the oldest stored
	// event.
	After Opt[int] `query:"after"`

	// Only events of these types, separated by commas: beat.created, beat.updated, beat.withdrawn,
	// beat.taken_down, beat.sold_exclusively, beat.purchased, order.refunded, order.failed, license.upgraded,
	// license.usage, upload.ready, upload.rejected, beat.publishing_failed, payout.sent, payout.paid,
	// payout.failed, user.registered, user.updated. Default: all types, including later ones.
	Type string `query:"type"`

	// The maximum number of events in a response. 1 to 1000, default 100.
	Limit Opt[int] `query:"limit"`

	// The number of seconds to wait for an event if there is none yet. The response is sent as soon as there is
	// one. 0 to 30, default 0.
	Wait Opt[int] `query:"wait"`
}

// ListRequestsParams has the optional parameters of: List your requests. A field with its zero value is not
// sent.
type ListRequestsParams struct {
	// Only requests from this time on, ISO 8601. A date alone is its first moment in UTC.
	From Time `query:"from"`

	// Only requests before this time, ISO 8601. A date alone is its first moment in UTC.
	To Time `query:"to"`

	// Only requests whose status has this first digit.
	StatusClass StatusClass `query:"status_class"`

	// Only requests with this status. 100 to 599.
	Status Opt[int] `query:"status"`

	// Only requests with this method, such as `GET`.
	Method string `query:"method"`

	// Only requests of this operation; `none` for paths outside of the API.
	OperationID string `query:"operation_id"`

	// Only requests made with this key.
	Key Opt[int] `query:"key"`

	// Only the request with this id, the `X-Request-Id` of its response.
	RequestID string `query:"request_id"`

	// Only requests that contain this text in the path, the query, the error details, the request id or the user
	// agent.
	Text string `query:"text"`

	// The `next` of the previous response. Returns the requests that follow it in the list, which are older.
	After string `query:"after"`

	// The maximum number of requests in a response. 1 to 100, default 50.
	Limit Opt[int] `query:"limit"`
}

// BeatFields is the body of: Create a beat.
type BeatFields struct {
	// The title of the beat.
	Title string `json:"title"`

	// A genre of `GET /genres`, by its id or its name.
	Genre any `json:"genre"`

	// The id of an upload of kind `audio`.
	Audio string `json:"audio"`

	// The price of the basic license in the currency's main unit, with at most two decimals.
	Price float64 `json:"price"`

	// The prices of the other licenses. Default: twice, five and twenty times `price`, rounded up to end in 99
	// cents.
	LicensePrices Opt[LicensePrices] `json:"license_prices,omitzero"`

	// Which licenses are sold, and with which limits. A license that is not named keeps its settings; in a new
	// beat, it has your default settings.
	LicenseSettings Opt[NewLicenseSettings] `json:"license_settings,omitzero"`

	// Whether people who confirm an e-mail address get the tagged MP3 for free, for non-commercial use.
	FreeDownload Opt[bool] `json:"free_download,omitzero"`

	// The tempo. Default: the result of the analysis.
	BPM Opt[float64] `json:"bpm,omitzero"`

	// The musical key, such as `A minor`, `Am` or `8A`. Default: the result of the analysis.
	Key Opt[string] `json:"key,omitzero"`

	Description Opt[string] `json:"description,omitzero"`

	// At most 20 tags, each with at most 50 characters and without a comma. Of tags that differ only in case,
	// accents, spaces or punctuation, the first is stored.
	Tags Opt[[]string] `json:"tags,omitzero"`

	// The id of an upload of kind `cover`.
	Cover Opt[string] `json:"cover,omitzero"`

	// The id of an upload of kind `stems`.
	Stems Opt[string] `json:"stems,omitzero"`

	// The tag that is mixed into the preview every 15 seconds: `default` is the service's own tag, `none` is no
	// tag, and the id of an upload of kind `audio` is your own tag.
	PreviewTag Opt[string] `json:"preview_tag,omitzero"`

	// The time at which to publish the beat: in the future, within two years. Not together with `status`
	// `published`.
	PublishAt Opt[Time] `json:"publish_at,omitzero"`

	// `published` puts the beat on sale as soon as its files are processed. Default: draft.
	Status Opt[NewBeatStatus] `json:"status,omitzero"`
}

// BeatChanges is the body of: Change one of your beats. An absent field is unchanged, and Null clears it.
type BeatChanges struct {
	// The title of the beat.
	Title Opt[string] `json:"title,omitzero"`

	// A genre of `GET /genres`, by its id or its name.
	Genre Opt[any] `json:"genre,omitzero"`

	// The id of an upload of kind `audio`.
	Audio Opt[string] `json:"audio,omitzero"`

	// The price of the basic license in the currency's main unit, with at most two decimals.
	Price Opt[float64] `json:"price,omitzero"`

	// The prices to change. Null derives all three from `price` again.
	LicensePrices Opt[LicensePrices] `json:"license_prices,omitzero"`

	// Which licenses are sold, and with which limits. A license that is not named keeps its settings; in a new
	// beat, it has your default settings.
	LicenseSettings Opt[NewLicenseSettings] `json:"license_settings,omitzero"`

	// Whether people who confirm an e-mail address get the tagged MP3 for free, for non-commercial use.
	FreeDownload Opt[bool] `json:"free_download,omitzero"`

	// The tempo. Null takes the result of the analysis.
	BPM Opt[float64] `json:"bpm,omitzero"`

	// The musical key. Null takes the result of the analysis.
	Key Opt[string] `json:"key,omitzero"`

	Description Opt[string] `json:"description,omitzero"`

	Tags Opt[[]string] `json:"tags,omitzero"`

	Cover Opt[string] `json:"cover,omitzero"`

	Stems Opt[string] `json:"stems,omitzero"`

	// The tag that is mixed into the preview every 15 seconds: `default` is the service's own tag, `none` is no
	// tag, and the id of an upload of kind `audio` is your own tag.
	PreviewTag Opt[string] `json:"preview_tag,omitzero"`

	// The time at which to publish a draft or a withdrawn beat: in the future, within two years. Null cancels
	// it.
	PublishAt Opt[Time] `json:"publish_at,omitzero"`

	// `published` puts a draft or a withdrawn beat on sale; `draft` stops the publishing of a beat that was
	// never on sale.
	Status Opt[NewBeatStatus] `json:"status,omitzero"`
}

// ProfileFields is the body of: Change your profile. An absent field is unchanged, and Null clears it.
type ProfileFields struct {
	// The name that is shown.
	DisplayName Opt[string] `json:"display_name,omitzero"`

	Bio Opt[string] `json:"bio,omitzero"`

	Location Opt[string] `json:"location,omitzero"`

	Website Opt[string] `json:"website,omitzero"`

	AvatarURL Opt[string] `json:"avatar_url,omitzero"`
}

// OrderRequest is the body of: Buy a license.
type OrderRequest struct {
	// The beat to buy.
	BeatID int `json:"beat_id"`

	// How to pay: the payment provider's identifier of a payment method, never a card number. With Stripe, the
	// id of a payment method made with Stripe's own scripts. In the sandbox: pm_card_visa, pm_card_visa_debit,
	// pm_card_mastercard, pm_card_mastercard_debit, pm_card_amex, pm_card_discover, pm_card_diners, pm_card_jcb,
	// pm_card_unionpay, pm_card_authenticationRequired, pm_card_threeDSecure2Required,
	// pm_card_visa_chargeDeclined, pm_card_visa_chargeDeclinedInsufficientFunds,
	// pm_card_chargeDeclinedExpiredCard, pm_card_chargeDeclinedIncorrectCvc,
	// pm_card_chargeDeclinedProcessingError, pm_card_pendingRefund or pm_card_refundFail.
	PaymentMethod string `json:"payment_method"`

	// The license to buy. An exclusive one sells once, and takes the beat out of the catalogue. Default: basic.
	LicenseType Opt[LicenseType] `json:"license_type,omitzero"`

	// The price that the buyer agreed to, in the currency's main unit. If the license has another price today,
	// the order is 409 and nothing is charged.
	ExpectedAmount Opt[float64] `json:"expected_amount,omitzero"`

	// The currency that the buyer agreed to, by ISO 4217. If prices are in another currency, the order is 409.
	Currency Opt[string] `json:"currency,omitzero"`
}

// CheckoutRequest is the body of: Open a checkout.
type CheckoutRequest struct {
	// The licenses to buy with one payment.
	Items []NewCheckoutItem `json:"items"`

	// The e-mail address for the receipt. Default: the account's.
	Email Opt[string] `json:"email,omitzero"`

	// The address to which the page sends the buyer after the payment. `{CHECKOUT_ID}` in it is replaced by the
	// checkout's id. Default: the page itself, with the files.
	SuccessURL Opt[string] `json:"success_url,omitzero"`

	// The address to which the page sends a buyer who does not pay. Default: the basket.
	CancelURL Opt[string] `json:"cancel_url,omitzero"`

	// A discount code. Upper and lower case are equal. A code that cannot be used is refused with 409.
	DiscountCode Opt[string] `json:"discount_code,omitzero"`
}

// QuoteRequest is the body of: Ask for a quote.
type QuoteRequest struct {
	// The licenses to buy with one payment.
	Items []NewQuoteItem `json:"items"`

	// A discount code. Upper and lower case are equal. If it does not apply, `rules` says why.
	DiscountCode Opt[string] `json:"discount_code,omitzero"`

	// The buyer's e-mail address, for discounts with a limit for each buyer. Default: the account's.
	Email Opt[string] `json:"email,omitzero"`
}

// LicenseQuestion is the body of: Ask whether a license allows a use.
type LicenseQuestion struct {
	// The use, such as `streams` or `content_id`: a word from the list of uses at /portal/docs/clauses#uses.
	Use string `json:"use"`

	// The total number of streams, copies or videos. Default: 1.
	Quantity Opt[int] `json:"quantity,omitzero"`

	// The country of the use, by ISO 3166-1, such as `DE`.
	Territory Opt[string] `json:"territory,omitzero"`

	// The day of the use, in UTC. Default: today.
	On Opt[string] `json:"on,omitzero"`
}

// UsageReportRequest is the body of: Report the usage of a license.
type UsageReportRequest struct {
	// What is counted: streams, copies or videos.
	Use CountedUse `json:"use"`

	// The number of streams, copies or videos in the period.
	Quantity int `json:"quantity"`

	// A month, such as `2027-01`.
	Period string `json:"period"`

	// The source of the number, such as the distributor.
	Source string `json:"source"`
}

// UpgradeRequest is the body of: Upgrade or renew a license.
type UpgradeRequest struct {
	// A license higher than the present one; or the same one, to renew it.
	LicenseType LicenseType `json:"license_type"`

	// How to pay: the payment provider's identifier of a payment method, never a card number. With Stripe, the
	// id of a payment method made with Stripe's own scripts. In the sandbox: pm_card_visa, pm_card_visa_debit,
	// pm_card_mastercard, pm_card_mastercard_debit, pm_card_amex, pm_card_discover, pm_card_diners, pm_card_jcb,
	// pm_card_unionpay, pm_card_authenticationRequired, pm_card_threeDSecure2Required,
	// pm_card_visa_chargeDeclined, pm_card_visa_chargeDeclinedInsufficientFunds,
	// pm_card_chargeDeclinedExpiredCard, pm_card_chargeDeclinedIncorrectCvc,
	// pm_card_chargeDeclinedProcessingError, pm_card_pendingRefund or pm_card_refundFail.
	PaymentMethod string `json:"payment_method"`

	// The price that the buyer agreed to, in the currency's main unit. If the license has another price today,
	// the order is 409 and nothing is charged.
	ExpectedAmount Opt[float64] `json:"expected_amount,omitzero"`

	// The currency that the buyer agreed to, by ISO 4217. If prices are in another currency, the order is 409.
	Currency Opt[string] `json:"currency,omitzero"`
}

// PlaylistFields is the body of: Create a playlist.
type PlaylistFields struct {
	Title string `json:"title"`

	Description Opt[string] `json:"description,omitzero"`

	// Who can read the playlist. `private`: only the account. `public`: everyone who has its id.
	Visibility Opt[PlaylistVisibility] `json:"visibility,omitzero"`

	// The beats, in order. Each is on sale, and appears once.
	BeatIDs Opt[[]int] `json:"beat_ids,omitzero"`
}

// PlaylistChanges is the body of: Change one of your playlists. An absent field is unchanged, and Null clears
// it.
type PlaylistChanges struct {
	Title Opt[string] `json:"title,omitzero"`

	Description Opt[string] `json:"description,omitzero"`

	// Who can read the playlist. `private`: only the account. `public`: everyone who has its id.
	Visibility Opt[PlaylistVisibility] `json:"visibility,omitzero"`

	// The beats, in order. Each is on sale, and appears once.
	BeatIDs Opt[[]int] `json:"beat_ids,omitzero"`
}

// SandboxRequest is the body of: Create a sandbox.
type SandboxRequest struct {
	// The seed of the sandbox. The same seed generates the same ids, beats and buyers. Default: a random seed.
	Seed Opt[string] `json:"seed,omitzero"`

	// The address that gets all events of the sandbox.
	WebhookURL Opt[string] `json:"webhook_url,omitzero"`

	// `demo`: 500 invented beats. `empty`: no beats, only the genres. Default: demo.
	Catalogue Opt[SandboxCatalogue] `json:"catalogue,omitzero"`
}

// SandboxAdvanceRequest is the body of: Advance the clock of a sandbox.
type SandboxAdvanceRequest struct {
	// The duration to advance by, at most 3,650 days, such as `P90D`.
	By string `json:"by"`

	// How many orders the simulated buyers place in each day, at random times. Default: 0.
	OrdersPerDay Opt[int] `json:"orders_per_day,omitzero"`

	// The faults that happen in that time.
	Faults Opt[[]SandboxFault] `json:"faults,omitzero"`
}

// TestEventRequest is the body of: Cause an event.
type TestEventRequest struct {
	// The type of the event to cause.
	Type EventType `json:"type"`
}

// SandboxFault: What goes wrong while a sandbox advances.
type SandboxFault struct {
	// `down`: the receivers of webhooks respond with 503.
	Receiver Opt[string] `json:"receiver,omitzero"`

	// When the fault begins, as a duration from the present time of the sandbox, such as `PT0S`.
	From Opt[string] `json:"from,omitzero"`

	// When the fault ends, as a duration from the present time of the sandbox, such as `P3D`.
	To Opt[string] `json:"to,omitzero"`

	// `bounce`: refunds of simulated buyers are accepted, and fail later.
	Refunds Opt[string] `json:"refunds,omitzero"`

	// `open`: the banks of simulated buyers open disputes.
	Disputes Opt[string] `json:"disputes,omitzero"`

	// `fail`: the banks of producers return payouts.
	Payouts Opt[string] `json:"payouts,omitzero"`

	// The share of orders or payouts with the fault, from 0 to 1 in hundredths.
	Share Opt[float64] `json:"share,omitzero"`
}

// NewQuoteItem: A license to quote.
type NewQuoteItem struct {
	// The beat of which to buy a license. Each beat may be named once.
	BeatID int `json:"beat_id"`

	// The license to buy. Default: basic.
	LicenseType Opt[LicenseType] `json:"license_type,omitzero"`

	// The id of a license of the beat that the account has. The item upgrades or renews it, and costs the
	// difference. Discounts do not apply to it.
	UpgradesLicense Opt[string] `json:"upgrades_license,omitzero"`
}

// NewCheckoutItem: A license that a new checkout is to buy.
type NewCheckoutItem struct {
	// The beat of which to buy a license. Each beat may be named once.
	BeatID int `json:"beat_id"`

	// The license to buy. Default: basic.
	LicenseType Opt[LicenseType] `json:"license_type,omitzero"`

	// The id of a license of the beat that the account has. The item upgrades or renews it, and costs the
	// difference. Discounts do not apply to it.
	UpgradesLicense Opt[string] `json:"upgrades_license,omitzero"`
}

// NewLicenseSettings: Which licenses of a beat are to be sold, and with which limits.
type NewLicenseSettings struct {
	Basic Opt[NewLicenseSetting] `json:"basic,omitzero"`

	Premium Opt[NewLicenseSetting] `json:"premium,omitzero"`

	Unlimited Opt[NewLicenseSetting] `json:"unlimited,omitzero"`

	Exclusive Opt[NewLicenseSetting] `json:"exclusive,omitzero"`
}

// NewLicenseSetting: Whether a license is to be sold, and its limits.
type NewLicenseSetting struct {
	// Whether the license is sold.
	Sold Opt[bool] `json:"sold,omitzero"`

	// Your own limits, which replace your earlier ones. Null means any number. A limit that is not named is as
	// in the terms.
	Limits Opt[NewLicenseLimits] `json:"limits,omitzero"`
}

// NewLicenseLimits: Limits of a license that its producer changed.
type NewLicenseLimits struct {
	Copies Opt[int] `json:"copies,omitzero"`

	Streams Opt[int] `json:"streams,omitzero"`

	Videos Opt[int] `json:"videos,omitzero"`

	RadioStations Opt[int] `json:"radio_stations,omitzero"`

	PaidPerformances Opt[int] `json:"paid_performances,omitzero"`

	Years Opt[int] `json:"years,omitzero"`
}

// LicensePrices: Prices of the licenses other than the basic one.
type LicensePrices struct {
	Premium Opt[float64] `json:"premium,omitzero"`

	Unlimited Opt[float64] `json:"unlimited,omitzero"`

	Exclusive Opt[float64] `json:"exclusive,omitzero"`
}

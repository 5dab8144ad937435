// Code generated from contract/openapi.json by npm run contract. DO NOT EDIT.

package beatmarket

// LicenseType has the values that follow; the API may add others.
type LicenseType string

// Known values of LicenseType.
const (
	LicenseTypeBasic     LicenseType = "basic"
	LicenseTypePremium   LicenseType = "premium"
	LicenseTypeUnlimited LicenseType = "unlimited"
	LicenseTypeExclusive LicenseType = "exclusive"
)

// BeatSort has the values that follow; the API may add others.
type BeatSort string

// Known values of BeatSort.
const (
	BeatSortNewest    BeatSort = "newest"
	BeatSortPopular   BeatSort = "popular"
	BeatSortPriceAsc  BeatSort = "price_asc"
	BeatSortPriceDesc BeatSort = "price_desc"
	BeatSortBPMAsc    BeatSort = "bpm_asc"
	BeatSortBPMDesc   BeatSort = "bpm_desc"
)

// FacetName has the values that follow; the API may add others.
type FacetName string

// Known values of FacetName.
const (
	FacetNameGenre FacetName = "genre"
	FacetNameKey   FacetName = "key"
	FacetNameBPM   FacetName = "bpm"
	FacetNamePrice FacetName = "price"
	FacetNameTag   FacetName = "tag"
)

// BeatStatus has the values that follow; the API may add others.
type BeatStatus string

// Known values of BeatStatus.
const (
	BeatStatusDraft      BeatStatus = "draft"
	BeatStatusProcessing BeatStatus = "processing"
	BeatStatusPublished  BeatStatus = "published"
	BeatStatusWithdrawn  BeatStatus = "withdrawn"
)

// FieldSource has the values that follow; the API may add others.
type FieldSource string

// Known values of FieldSource.
const (
	FieldSourceProducer FieldSource = "producer"
	FieldSourceAnalysis FieldSource = "analysis"
)

// NewBeatStatus has the values that follow; the API may add others.
type NewBeatStatus string

// Known values of NewBeatStatus.
const (
	NewBeatStatusDraft     NewBeatStatus = "draft"
	NewBeatStatusPublished NewBeatStatus = "published"
)

// KeyRelation has the values that follow; the API may add others.
type KeyRelation string

// Known values of KeyRelation.
const (
	KeyRelationSame     KeyRelation = "same"
	KeyRelationRelative KeyRelation = "relative"
	KeyRelationAdjacent KeyRelation = "adjacent"
	KeyRelationOther    KeyRelation = "other"
)

// ProducerSort has the values that follow; the API may add others.
type ProducerSort string

// Known values of ProducerSort.
const (
	ProducerSortPopular ProducerSort = "popular"
	ProducerSortNewest  ProducerSort = "newest"
	ProducerSortName    ProducerSort = "name"
)

// SearchType has the values that follow; the API may add others.
type SearchType string

// Known values of SearchType.
const (
	SearchTypeBeats     SearchType = "beats"
	SearchTypeProducers SearchType = "producers"
	SearchTypeAll       SearchType = "all"
)

// SearchSort has the values that follow; the API may add others.
type SearchSort string

// Known values of SearchSort.
const (
	SearchSortRelevance SearchSort = "relevance"
	SearchSortNewest    SearchSort = "newest"
	SearchSortPopular   SearchSort = "popular"
	SearchSortPriceAsc  SearchSort = "price_asc"
	SearchSortPriceDesc SearchSort = "price_desc"
	SearchSortBPMAsc    SearchSort = "bpm_asc"
	SearchSortBPMDesc   SearchSort = "bpm_desc"
)

// OrderStatus has the values that follow; the API may add others.
type OrderStatus string

// Known values of OrderStatus.
const (
	OrderStatusCompleted OrderStatus = "completed"
	OrderStatusPending   OrderStatus = "pending"
	OrderStatusFailed    OrderStatus = "failed"
)

// NextActionType has the values that follow; the API may add others.
type NextActionType string

// Known values of NextActionType.
const (
	NextActionTypeRedirect NextActionType = "redirect"
)

// CheckoutStatus has the values that follow; the API may add others.
type CheckoutStatus string

// Known values of CheckoutStatus.
const (
	CheckoutStatusOpen      CheckoutStatus = "open"
	CheckoutStatusCompleted CheckoutStatus = "completed"
	CheckoutStatusExpired   CheckoutStatus = "expired"
	CheckoutStatusCancelled CheckoutStatus = "cancelled"
)

// DiscountKind has the values that follow; the API may add others.
type DiscountKind string

// Known values of DiscountKind.
const (
	DiscountKindPercent   DiscountKind = "percent"
	DiscountKindAmount    DiscountKind = "amount"
	DiscountKindPack      DiscountKind = "pack"
	DiscountKindOwnership DiscountKind = "ownership"
)

// FileKind has the values that follow; the API may add others.
type FileKind string

// Known values of FileKind.
const (
	FileKindMp3     FileKind = "mp3"
	FileKindWav     FileKind = "wav"
	FileKindStems   FileKind = "stems"
	FileKindLicense FileKind = "license"
)

// LicenseStatus has the values that follow; the API may add others.
type LicenseStatus string

// Known values of LicenseStatus.
const (
	LicenseStatusValid    LicenseStatus = "valid"
	LicenseStatusExpired  LicenseStatus = "expired"
	LicenseStatusRefunded LicenseStatus = "refunded"
	LicenseStatusReplaced LicenseStatus = "replaced"
)

// InvoiceKind has the values that follow; the API may add others.
type InvoiceKind string

// Known values of InvoiceKind.
const (
	InvoiceKindInvoice    InvoiceKind = "invoice"
	InvoiceKindCreditNote InvoiceKind = "credit_note"
)

// LicenseState has the values that follow; the API may add others.
type LicenseState string

// Known values of LicenseState.
const (
	LicenseStateValid    LicenseState = "valid"
	LicenseStateExpired  LicenseState = "expired"
	LicenseStateRefunded LicenseState = "refunded"
	LicenseStateReplaced LicenseState = "replaced"
)

// Allowance has the values that follow; the API may add others.
type Allowance string

// Known values of Allowance.
const (
	AllowanceYes     Allowance = "yes"
	AllowanceNo      Allowance = "no"
	AllowanceUnknown Allowance = "unknown"
)

// LicenseClause has the values that follow; the API may add others.
type LicenseClause string

// Known values of LicenseClause.
const (
	LicenseClauseFiles            LicenseClause = "files"
	LicenseClauseSong             LicenseClause = "song"
	LicenseClauseCopies           LicenseClause = "copies"
	LicenseClauseStreams          LicenseClause = "streams"
	LicenseClauseVideos           LicenseClause = "videos"
	LicenseClauseRadioStations    LicenseClause = "radio_stations"
	LicenseClausePaidPerformances LicenseClause = "paid_performances"
	LicenseClauseYears            LicenseClause = "years"
	LicenseClauseTerritory        LicenseClause = "territory"
	LicenseClauseCredit           LicenseClause = "credit"
	LicenseClausePublishing       LicenseClause = "publishing"
	LicenseClauseExclusive        LicenseClause = "exclusive"
	LicenseClauseAuthorship       LicenseClause = "authorship"
	LicenseClauseResale           LicenseClause = "resale"
	LicenseClauseSublicense       LicenseClause = "sublicense"
	LicenseClauseContentID        LicenseClause = "content_id"
	LicenseClauseTraining         LicenseClause = "training"
	LicenseClauseBeyondLimits     LicenseClause = "beyond_limits"
	LicenseClauseUpgradePrice     LicenseClause = "upgrade_price"
	LicenseClauseRefund           LicenseClause = "refund"
	LicenseClauseBreach           LicenseClause = "breach"
)

// CountedUse has the values that follow; the API may add others.
type CountedUse string

// Known values of CountedUse.
const (
	CountedUseStreams CountedUse = "streams"
	CountedUseCopies  CountedUse = "copies"
	CountedUseVideos  CountedUse = "videos"
)

// PlaylistVisibility has the values that follow; the API may add others.
type PlaylistVisibility string

// Known values of PlaylistVisibility.
const (
	PlaylistVisibilityPrivate PlaylistVisibility = "private"
	PlaylistVisibilityPublic  PlaylistVisibility = "public"
)

// UploadKind has the values that follow; the API may add others.
type UploadKind string

// Known values of UploadKind.
const (
	UploadKindAudio UploadKind = "audio"
	UploadKindStems UploadKind = "stems"
	UploadKindCover UploadKind = "cover"
)

// UploadStatus has the values that follow; the API may add others.
type UploadStatus string

// Known values of UploadStatus.
const (
	UploadStatusReceiving UploadStatus = "receiving"
	UploadStatusAnalysing UploadStatus = "analysing"
	UploadStatusReady     UploadStatus = "ready"
	UploadStatusRejected  UploadStatus = "rejected"
)

// ChangeType has the values that follow; the API may add others.
type ChangeType string

// Known values of ChangeType.
const (
	ChangeTypePublished ChangeType = "published"
	ChangeTypeUpdated   ChangeType = "updated"
	ChangeTypeSold      ChangeType = "sold"
	ChangeTypeWithdrawn ChangeType = "withdrawn"
)

// EventType has the values that follow; the API may add others.
type EventType string

// Known values of EventType.
const (
	EventTypeBeatCreated          EventType = "beat.created"
	EventTypeBeatUpdated          EventType = "beat.updated"
	EventTypeBeatWithdrawn        EventType = "beat.withdrawn"
	EventTypeBeatTakenDown        EventType = "beat.taken_down"
	EventTypeBeatSoldExclusively  EventType = "beat.sold_exclusively"
	EventTypeBeatPurchased        EventType = "beat.purchased"
	EventTypeOrderRefunded        EventType = "order.refunded"
	EventTypeOrderFailed          EventType = "order.failed"
	EventTypeLicenseUpgraded      EventType = "license.upgraded"
	EventTypeLicenseUsage         EventType = "license.usage"
	EventTypeUploadReady          EventType = "upload.ready"
	EventTypeUploadRejected       EventType = "upload.rejected"
	EventTypeBeatPublishingFailed EventType = "beat.publishing_failed"
	EventTypePayoutSent           EventType = "payout.sent"
	EventTypePayoutPaid           EventType = "payout.paid"
	EventTypePayoutFailed         EventType = "payout.failed"
	EventTypeUserRegistered       EventType = "user.registered"
	EventTypeUserUpdated          EventType = "user.updated"
)

// StatusClass has the values that follow; the API may add others.
type StatusClass string

// Known values of StatusClass.
const (
	StatusClass2xx StatusClass = "2xx"
	StatusClass3xx StatusClass = "3xx"
	StatusClass4xx StatusClass = "4xx"
	StatusClass5xx StatusClass = "5xx"
)

// SandboxCatalogue has the values that follow; the API may add others.
type SandboxCatalogue string

// Known values of SandboxCatalogue.
const (
	SandboxCatalogueDemo  SandboxCatalogue = "demo"
	SandboxCatalogueEmpty SandboxCatalogue = "empty"
)

// PayoutStatus has the values that follow; the API may add others.
type PayoutStatus string

// Known values of PayoutStatus.
const (
	PayoutStatusPending PayoutStatus = "pending"
	PayoutStatusSent    PayoutStatus = "sent"
	PayoutStatusPaid    PayoutStatus = "paid"
	PayoutStatusFailed  PayoutStatus = "failed"
)

// PayoutDestination has the values that follow; the API may add others.
type PayoutDestination string

// Known values of PayoutDestination.
const (
	PayoutDestinationBank   PayoutDestination = "bank"
	PayoutDestinationStripe PayoutDestination = "stripe"
)

// GenreName: The genre of a beat or producer.
type GenreName struct {
	Model

	ID int `json:"id"`

	Name string `json:"name"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *GenreName) UnmarshalJSON(data []byte) error {
	type fields GenreName
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Beat: A beat in a list.
type Beat struct {
	Model

	ID int `json:"id"`

	Title string `json:"title"`

	// The user who produced the beat.
	UserID int `json:"user_id"`

	ProducerName string `json:"producer_name"`

	Genre GenreName `json:"genre"`

	// The price of the basic license, or of the next one if the basic one is not sold. At most two decimals.
	Price float64 `json:"price"`

	// The duration in whole seconds; 0 if it is unknown.
	Duration int `json:"duration"`

	// The tempo in beats per minute.
	BPM int `json:"bpm"`

	// The musical key, such as "C# minor"; "" if it is unknown.
	Key string `json:"key"`

	AudioURL string `json:"audio_url"`

	CoverImage string `json:"cover_image"`

	// A time in ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`

	PlayCount int `json:"play_count"`

	DownloadCount int `json:"download_count"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Beat) UnmarshalJSON(data []byte) error {
	type fields Beat
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Pagination: The position of a page in its list.
type Pagination struct {
	Model

	Total int `json:"total"`

	PerPage int `json:"per_page"`

	CurrentPage int `json:"current_page"`

	LastPage int `json:"last_page"`

	// The address of the next page. Null on the last page.
	NextPageURL *string `json:"next_page_url"`

	PrevPageURL *string `json:"prev_page_url"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Pagination) UnmarshalJSON(data []byte) error {
	type fields Pagination
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// FacetCount: How many beats have a value, or are in a range of values.
type FacetCount struct {
	Model

	// The key as in beats; "" for an unknown key.
	Value Value `json:"value"`

	Count int `json:"count"`

	// The highest bpm of the range, as for `bpm_max`.
	Max *float64 `json:"max"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *FacetCount) UnmarshalJSON(data []byte) error {
	type fields FacetCount
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Facets: How many beats have each value, by requested facet.
type Facets struct {
	Model

	// The most frequent genre comes first.
	Genre []FacetCount `json:"genre"`

	// The most frequent key comes first.
	Key []FacetCount `json:"key"`

	// Ranges of ten, the slowest first.
	BPM []FacetCount `json:"bpm"`

	// At most ten ranges, the lowest first.
	Price []FacetCount `json:"price"`

	// The 100 most frequent tags, the most frequent first.
	Tag []FacetCount `json:"tag"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Facets) UnmarshalJSON(data []byte) error {
	type fields Facets
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// License: A license of a beat and its price.
type License struct {
	Model

	Type LicenseType `json:"type"`

	Price float64 `json:"price"`

	// Whether the license can be bought now. False for every license while the exclusive one is being bought,
	// and after it is sold.
	Available bool `json:"available"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *License) UnmarshalJSON(data []byte) error {
	type fields License
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Analysis: The results of the analysis of a recording. An unknown value is null.
type Analysis struct {
	Model

	// The tempo in beats per minute. Null if the recording has none.
	BPM *float64 `json:"bpm"`

	// How sure the tempo is, from 0 to 1.
	BPMConfidence *float64 `json:"bpm_confidence"`

	// The second most likely tempo, often half or double of the first.
	BPMAlternative *float64 `json:"bpm_alternative"`

	// The musical key, such as `C# minor`. Null if the recording has none.
	Key *string `json:"key"`

	// How sure the key is, from 0 to 1.
	KeyConfidence *float64 `json:"key_confidence"`

	// The second most likely key.
	KeyAlternative *string `json:"key_alternative"`

	// The duration in seconds.
	Duration int `json:"duration"`

	// The format, by the file's bytes: `wav`, `aiff`, `flac`, `mp3`, `ogg` or `m4a`. The last three are lossy;
	// licenses of such a recording include no WAV.
	Format string `json:"format"`

	// The sample rate in Hz.
	SampleRate int `json:"sample_rate"`

	Channels int `json:"channels"`

	// The integrated loudness by EBU R128. Null for silence.
	LoudnessLufs *float64 `json:"loudness_lufs"`

	// The true peak in dBTP. Null for silence.
	TruePeakDbtp *float64 `json:"true_peak_dbtp"`

	// The number of samples in runs at full scale.
	ClippedSamples int `json:"clipped_samples"`

	// The number of seconds of silence before the first sound.
	SilenceStart float64 `json:"silence_start"`

	// The number of seconds of silence after the last sound.
	SilenceEnd float64 `json:"silence_end"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Analysis) UnmarshalJSON(data []byte) error {
	type fields Analysis
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// LicenseLimits: Limits of a license that its producer changed.
type LicenseLimits struct {
	Model

	Copies *int `json:"copies"`

	Streams *int `json:"streams"`

	Videos *int `json:"videos"`

	RadioStations *int `json:"radio_stations"`

	PaidPerformances *int `json:"paid_performances"`

	Years *int `json:"years"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *LicenseLimits) UnmarshalJSON(data []byte) error {
	type fields LicenseLimits
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// LicenseSetting: Whether a license is sold, its price, and its limits.
type LicenseSetting struct {
	Model

	Sold bool `json:"sold"`

	// The price, also of a license that is not sold.
	Price float64 `json:"price"`

	// The limits that the producer changed.
	Limits LicenseLimits `json:"limits"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *LicenseSetting) UnmarshalJSON(data []byte) error {
	type fields LicenseSetting
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// LicenseSettings: Which licenses of a beat are sold, and with which limits.
type LicenseSettings struct {
	Model

	Basic LicenseSetting `json:"basic"`

	Premium LicenseSetting `json:"premium"`

	Unlimited LicenseSetting `json:"unlimited"`

	Exclusive LicenseSetting `json:"exclusive"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *LicenseSettings) UnmarshalJSON(data []byte) error {
	type fields LicenseSettings
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Similarity: How similar a beat is, and why.
type Similarity struct {
	Model

	// The similarity. 1 is a perfect match.
	Score float64 `json:"score"`

	// This beat's tempo relative to the given beat: 0.5, 1 or 2. It is 2 if this beat is about twice as fast.
	TempoRatio float64 `json:"tempo_ratio"`

	// The difference of the tempos in percent, after `tempo_ratio` halves or doubles one of them, with two
	// decimals.
	BPMDifferencePercent float64 `json:"bpm_difference_percent"`

	// The relation of the keys on the circle of fifths. `other` also if a key is unknown.
	KeyRelation KeyRelation `json:"key_relation"`

	SameGenre bool `json:"same_genre"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Similarity) UnmarshalJSON(data []byte) error {
	type fields Similarity
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// User: A public profile.
type User struct {
	Model

	ID int `json:"id"`

	Username string `json:"username"`

	DisplayName string `json:"display_name"`

	Bio *string `json:"bio"`

	Location *string `json:"location"`

	Website *string `json:"website"`

	AvatarURL *string `json:"avatar_url"`

	IsProducer bool `json:"is_producer"`

	// The number of beats on sale.
	BeatsCount int `json:"beats_count"`

	// A time in ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *User) UnmarshalJSON(data []byte) error {
	type fields User
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Genre: A genre of the catalogue.
type Genre struct {
	Model

	ID int `json:"id"`

	Name string `json:"name"`

	Slug string `json:"slug"`

	// The number of beats on sale in this genre.
	BeatsCount int `json:"beats_count"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Genre) UnmarshalJSON(data []byte) error {
	type fields Genre
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// SearchTotals: All results of a search, by type.
type SearchTotals struct {
	Model

	Beats int `json:"beats"`

	Producers int `json:"producers"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *SearchTotals) UnmarshalJSON(data []byte) error {
	type fields SearchTotals
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Interpretation: The filters that the service found in the text of a search, by parameter.
type Interpretation struct {
	Model

	// The words of the search.
	Q string `json:"q"`

	BPMMin *int `json:"bpm_min"`

	BPMMax *int `json:"bpm_max"`

	// The key, in the form of the parameter `key`.
	Key *string `json:"key"`

	PriceMin *float64 `json:"price_min"`

	PriceMax *float64 `json:"price_max"`

	// The typed tempo and the wider range that was searched instead, because nothing matches the tempo together
	// with the rest.
	Widened map[string]string `json:"widened"`

	// The corrected words, each with its replacement.
	Corrected map[string]string `json:"corrected"`

	// The parts of the search text that were ignored, because nothing matches them together with the rest.
	Ignored []string `json:"ignored"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Interpretation) UnmarshalJSON(data []byte) error {
	type fields Interpretation
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// OrderBeat: The beat of an order, as it was when it was bought.
type OrderBeat struct {
	Model

	ID int `json:"id"`

	Title string `json:"title"`

	ProducerID int `json:"producer_id"`

	ProducerName string `json:"producer_name"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *OrderBeat) UnmarshalJSON(data []byte) error {
	type fields OrderBeat
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// NextAction: What the buyer has to do to pay.
type NextAction struct {
	Model

	Type NextActionType `json:"type"`

	// The page on which the buyer completes the payment.
	URL string `json:"url"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *NextAction) UnmarshalJSON(data []byte) error {
	type fields NextAction
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Order: The purchase of a license by the account, also if it is pending or failed.
type Order struct {
	Model

	ID int `json:"id"`

	// The status. `pending` becomes `completed` or `failed`; both are final.
	Status OrderStatus `json:"status"`

	// The beat as it was at the time of the purchase.
	Beat OrderBeat `json:"beat"`

	LicenseType LicenseType `json:"license_type"`

	// The price of the license, with at most two decimals.
	Amount float64 `json:"amount"`

	// The currency, by ISO 4217.
	Currency string `json:"currency"`

	PaymentMethod string `json:"payment_method"`

	// Why the order failed, as a sentence. Null unless it failed.
	FailureReason *string `json:"failure_reason"`

	// A time in ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`

	// When the order was completed. Null unless it was.
	CompletedAt *Time `json:"completed_at"`

	// The part of `amount` that was paid back by refunds and lost disputes, with at most two decimals.
	RefundedAmount float64 `json:"refunded_amount"`

	// When money was last paid back. Null if none was. The order stays completed.
	RefundedAt *Time `json:"refunded_at"`

	// Only with Stripe: the secret with which Stripe's scripts complete the payment in the buyer's browser. Null
	// unless the order is pending.
	ClientSecret *string `json:"client_secret"`

	// The buyer's next step, such as 3-D Secure: open `url`. Null unless the order is pending.
	NextAction *NextAction `json:"next_action"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Order) UnmarshalJSON(data []byte) error {
	type fields Order
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// CheckoutItem: A license that a checkout buys.
type CheckoutItem struct {
	Model

	BeatID int `json:"beat_id"`

	LicenseType LicenseType `json:"license_type"`

	Title string `json:"title"`

	ProducerName string `json:"producer_name"`

	// The license that the item upgrades or renews. Null if it does neither.
	UpgradesLicense *string `json:"upgrades_license"`

	// The credit for the license in `upgrades_license`, which is subtracted from the current price. At most two
	// decimals.
	Credit float64 `json:"credit"`

	// The amount of the item's discount, with at most two decimals.
	Discount float64 `json:"discount"`

	// The price at the time of the checkout, less credit and discount. At most two decimals.
	Amount float64 `json:"amount"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *CheckoutItem) UnmarshalJSON(data []byte) error {
	type fields CheckoutItem
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// AppliedDiscount: What a discount takes off a checkout.
type AppliedDiscount struct {
	Model

	ID int `json:"id"`

	Name string `json:"name"`

	// The code of the discount. Null if it needs none.
	Code *string `json:"code"`

	// The amount of the discount, with at most two decimals.
	Amount float64 `json:"amount"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *AppliedDiscount) UnmarshalJSON(data []byte) error {
	type fields AppliedDiscount
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Checkout: One payment of one or more licenses.
type Checkout struct {
	Model

	ID int `json:"id"`

	// The page on which a person pays. Open it in a browser. Null only while the provider is unreachable.
	URL *string `json:"url"`

	// The status. `open` becomes `completed` with the payment, `expired` at `expires_at`, or `cancelled` when it
	// cannot be fulfilled, for example because an item is no longer for sale.
	Status CheckoutStatus `json:"status"`

	// The sum of the items, with at most two decimals.
	Amount float64 `json:"amount"`

	// The currency, by ISO 4217.
	Currency string `json:"currency"`

	SuccessURL *string `json:"success_url"`

	CancelURL *string `json:"cancel_url"`

	// Why the checkout was cancelled, as a sentence. Null unless it was.
	FailureReason *string `json:"failure_reason"`

	// A time in ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`

	// A time in ISO 8601, UTC, whole seconds.
	ExpiresAt Time `json:"expires_at"`

	Items []CheckoutItem `json:"items"`

	// The applied discounts, each with its amount.
	Discounts []AppliedDiscount `json:"discounts"`

	// One order for each item, once the payment has succeeded. Empty before.
	Orders []Order `json:"orders"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Checkout) UnmarshalJSON(data []byte) error {
	type fields Checkout
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// QuoteItem: A license of a quote, with its price.
type QuoteItem struct {
	Model

	BeatID int `json:"beat_id"`

	LicenseType LicenseType `json:"license_type"`

	Title string `json:"title"`

	ProducerName string `json:"producer_name"`

	// The license that the item upgrades or renews. Null if it does neither.
	UpgradesLicense *string `json:"upgrades_license"`

	// The credit for the license in `upgrades_license`, which is subtracted from the current price. At most two
	// decimals.
	Credit float64 `json:"credit"`

	// Today's price, less the credit. At most two decimals.
	Price float64 `json:"price"`

	// The amount of the discount, with at most two decimals.
	Discount float64 `json:"discount"`

	// The amount to pay, with at most two decimals.
	Amount float64 `json:"amount"`

	// The discount that reduces the price. Null if no discount applies.
	DiscountID *int `json:"discount_id"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *QuoteItem) UnmarshalJSON(data []byte) error {
	type fields QuoteItem
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// QuoteDiscount: What a discount would take off.
type QuoteDiscount struct {
	Model

	ID int `json:"id"`

	Name string `json:"name"`

	// The code of the discount. Null if it needs none.
	Code *string `json:"code"`

	// The amount of the discount, with at most two decimals.
	Amount float64 `json:"amount"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *QuoteDiscount) UnmarshalJSON(data []byte) error {
	type fields QuoteDiscount
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// QuoteRule: A discount that was tried, and why it applies or not.
type QuoteRule struct {
	Model

	// The id of the discount. Null for an unknown code.
	ID *int `json:"id"`

	Name *string `json:"name"`

	Kind *DiscountKind `json:"kind"`

	// The code of the discount. Null if it needs none.
	Code *string `json:"code"`

	// Whether the discount applies.
	Applied bool `json:"applied"`

	// A sentence: the effect of the discount, or why it does not apply.
	Reason string `json:"reason"`

	// The amount of the discount, with at most two decimals.
	Amount float64 `json:"amount"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *QuoteRule) UnmarshalJSON(data []byte) error {
	type fields QuoteRule
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Quote: The price of a purchase, with every discount that was considered.
type Quote struct {
	Model

	// The amount that a checkout of the items charges, with at most two decimals.
	Amount float64 `json:"amount"`

	// The currency, by ISO 4217.
	Currency string `json:"currency"`

	// The items, in the order of the request.
	Items []QuoteItem `json:"items"`

	// The discounts that apply.
	Discounts []QuoteDiscount `json:"discounts"`

	// Every discount that was considered.
	Rules []QuoteRule `json:"rules"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Quote) UnmarshalJSON(data []byte) error {
	type fields Quote
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// SaleBeat: The beat of a sale, with its title when it was bought.
type SaleBeat struct {
	Model

	ID int `json:"id"`

	Title string `json:"title"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *SaleBeat) UnmarshalJSON(data []byte) error {
	type fields SaleBeat
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// SaleBuyer: The buyer of a sale.
type SaleBuyer struct {
	Model

	Name string `json:"name"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *SaleBuyer) UnmarshalJSON(data []byte) error {
	type fields SaleBuyer
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Sale: A completed order of a beat that the account sold.
type Sale struct {
	Model

	// Identifier of the order.
	ID int `json:"id"`

	// The beat, with its title at the time of the purchase.
	Beat SaleBeat `json:"beat"`

	LicenseType LicenseType `json:"license_type"`

	// An amount with at most two decimals.
	Amount float64 `json:"amount"`

	// The part of the amount that was paid back. 0 without a refund.
	RefundedAmount float64 `json:"refunded_amount"`

	// The currency, by ISO 4217.
	Currency string `json:"currency"`

	// The name of the buyer on the license.
	Buyer SaleBuyer `json:"buyer"`

	// Identifier of the license. Null until it is issued.
	LicenseID *string `json:"license_id"`

	// The number of files that the buyer has downloaded.
	Downloads int `json:"downloads"`

	// A time in ISO 8601, UTC, whole seconds.
	CompletedAt Time `json:"completed_at"`

	// When the last refund was made. Null if there is none.
	RefundedAt *Time `json:"refunded_at"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Sale) UnmarshalJSON(data []byte) error {
	type fields Sale
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// OrderFile: A file of an order.
type OrderFile struct {
	Model

	// The kind of the file. `mp3`: untagged, with 320 kbit/s, or with the bit rate of a lossy recording. `wav`:
	// the recording, if it is lossless. `stems`: the producer's ZIP. `license`: the certificate, a PDF.
	Kind FileKind `json:"kind"`

	// The name under which a browser saves the file.
	Filename string `json:"filename"`

	// The size of the file in bytes.
	Bytes int `json:"bytes"`

	// The SHA-256 of the file, in hexadecimal.
	SHA256 string `json:"sha256"`

	// A signed link. Every client that has it can download the file without a key until it expires. Supports
	// `Range`.
	URL string `json:"url"`

	// When the link expires: ISO 8601, UTC, whole seconds, 15 minutes from now. A download that has begun is not
	// interrupted.
	ExpiresAt Time `json:"expires_at"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *OrderFile) UnmarshalJSON(data []byte) error {
	type fields OrderFile
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// IssuedLicense: The license of an order.
type IssuedLicense struct {
	Model

	ID string `json:"id"`

	// The public page that says whether the license is valid.
	URL string `json:"url"`

	// The facts of the certificate, signed (JWS, EdDSA) with a key of `/.well-known/jwks.json`.
	Jws string `json:"jws"`

	Type LicenseType `json:"type"`

	// The version of the terms at the time of the sale.
	TermsVersion string `json:"terms_version"`

	// The status of the license: `expired` after its last day, `refunded` once the order is refunded in full,
	// `replaced` after an upgrade or renewal.
	Status LicenseStatus `json:"status"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *IssuedLicense) UnmarshalJSON(data []byte) error {
	type fields IssuedLicense
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// OrderFiles: The files and the license of a completed order.
type OrderFiles struct {
	Model

	// The files of the license, in the order mp3, wav, stems, license. Empty once the order is refunded in full.
	Files []OrderFile `json:"files"`

	License IssuedLicense `json:"license"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *OrderFiles) UnmarshalJSON(data []byte) error {
	type fields OrderFiles
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Invoice: An invoice or a credit note of an order.
type Invoice struct {
	Model

	// The number, such as `INV-2026-000042`, or `CN-2026-000007` for a credit note.
	Number string `json:"number"`

	// The kind of the document. A `credit_note` cancels what was paid back.
	Kind InvoiceKind `json:"kind"`

	// When the document was issued, in UTC.
	IssuedAt Time `json:"issued_at"`

	// The amount with tax, positive in both kinds. At most two decimals.
	Amount float64 `json:"amount"`

	// The currency, by ISO 4217.
	Currency string `json:"currency"`

	// A name for the file: the number of the document.
	Filename string `json:"filename"`

	// The address of the PDF, which needs no key.
	URL string `json:"url"`

	// When the link expires, in UTC.
	ExpiresAt Time `json:"expires_at"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Invoice) UnmarshalJSON(data []byte) error {
	type fields Invoice
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// LicenseReason: The clause that an answer follows from.
type LicenseReason struct {
	Model

	// The clause that decides the answer, or the clause that comes nearest.
	Clause LicenseClause `json:"clause"`

	// The sentence of the clause, word for word as in the certificate.
	Text string `json:"text"`

	// The number in the clause. Null for any number, and for clauses without one.
	Limit *int `json:"limit"`

	// The usage that the holder has reported. Null without a report.
	Used *int `json:"used"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *LicenseReason) UnmarshalJSON(data []byte) error {
	type fields LicenseReason
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// LicenseRemedy: What to buy so that the use is allowed.
type LicenseRemedy struct {
	Model

	// The higher license to buy. Null if `renew` is the remedy.
	Upgrade *LicenseType `json:"upgrade"`

	// The same license, to be bought again. Null if `upgrade` is the remedy.
	Renew *LicenseType `json:"renew"`

	// The price today, before discounts. With the holder's key: the difference of an upgrade.
	Price float64 `json:"price"`

	Currency string `json:"currency"`

	// The last day of the license if it is bought today. Null if it has no end.
	ValidUntil *string `json:"valid_until"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *LicenseRemedy) UnmarshalJSON(data []byte) error {
	type fields LicenseRemedy
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// LicenseVerdict: Whether a license allows a use, and why.
type LicenseVerdict struct {
	Model

	LicenseID string `json:"license_id"`

	// The status of the license today.
	Status LicenseState `json:"status"`

	// The license that replaced this one by an upgrade or a renewal. Send the question for that one. Null if
	// there is none, and until its certificate is issued.
	ReplacedBy *string `json:"replaced_by"`

	Use string `json:"use"`

	Quantity int `json:"quantity"`

	// The country in the request. Null if the request has none.
	Territory *string `json:"territory"`

	// The day that the answer is for.
	On string `json:"on"`

	// Whether the license allows the use. `unknown`: the terms do not mention this use.
	Allowed Allowance `json:"allowed"`

	// The reason for the answer. Null only if no clause is about such a use.
	Because *LicenseReason `json:"because"`

	// The purchase that would allow the use. Null unless the answer is no, and if no purchase would.
	Remedy *LicenseRemedy `json:"remedy"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *LicenseVerdict) UnmarshalJSON(data []byte) error {
	type fields LicenseVerdict
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// UsageReport: How much of a use a source counted in a month.
type UsageReport struct {
	Model

	// What is counted: streams, copies or videos.
	Use CountedUse `json:"use"`

	// The number of streams, copies or videos in the period.
	Quantity int `json:"quantity"`

	// A month, such as `2027-01`.
	Period string `json:"period"`

	// The source of the number, such as the distributor.
	Source string `json:"source"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *UsageReport) UnmarshalJSON(data []byte) error {
	type fields UsageReport
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// UsageSum: How much of a use is reported, and the limit.
type UsageSum struct {
	Model

	// What is counted: streams, copies or videos.
	Use CountedUse `json:"use"`

	// The sum over all periods and sources, including the usage before an upgrade.
	Used int `json:"used"`

	// The limit in the clause. Null for any number.
	Limit *int `json:"limit"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *UsageSum) UnmarshalJSON(data []byte) error {
	type fields UsageSum
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// LicenseUsage: The usage of a license, as its holder has reported it.
type LicenseUsage struct {
	Model

	LicenseID string `json:"license_id"`

	// The reports, ordered by use, period and source.
	Reports []UsageReport `json:"reports"`

	// The sums, one for each use.
	Sums []UsageSum `json:"sums"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *LicenseUsage) UnmarshalJSON(data []byte) error {
	type fields LicenseUsage
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Favorite: A beat among the favorites of an account.
type Favorite struct {
	Model

	BeatID int `json:"beat_id"`

	// When the beat was added: ISO 8601, UTC, whole seconds. Null for a beat that is not a favorite.
	CreatedAt *Time `json:"created_at"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Favorite) UnmarshalJSON(data []byte) error {
	type fields Favorite
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Follow: A producer whom an account follows.
type Follow struct {
	Model

	// The id of the producer.
	UserID int `json:"user_id"`

	// Since when the account follows the producer: ISO 8601, UTC, whole seconds. Null if it does not.
	CreatedAt *Time `json:"created_at"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Follow) UnmarshalJSON(data []byte) error {
	type fields Follow
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Playlist: A list of beats in the order that its owner chose.
type Playlist struct {
	Model

	ID string `json:"id"`

	Title string `json:"title"`

	Description string `json:"description"`

	// Who can read the playlist. `private`: only the account. `public`: everyone who has its id.
	Visibility PlaylistVisibility `json:"visibility"`

	// The id of the owner.
	UserID int `json:"user_id"`

	OwnerName string `json:"owner_name"`

	// The address of the playlist's page.
	URL string `json:"url"`

	// The number of beats that are on sale.
	BeatsCount int `json:"beats_count"`

	// A time in ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`

	// A time in ISO 8601, UTC, whole seconds.
	UpdatedAt Time `json:"updated_at"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Playlist) UnmarshalJSON(data []byte) error {
	type fields Playlist
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Upload: A file that was uploaded, or of which some bytes have arrived.
type Upload struct {
	Model

	ID string `json:"id"`

	Kind UploadKind `json:"kind"`

	// The name of the file, as sent. It is a text, never a path.
	Filename string `json:"filename"`

	// The size of the whole file in bytes.
	Bytes int `json:"bytes"`

	// The number of bytes that have arrived.
	Received int `json:"received"`

	// The SHA-256 of the sent file. Null until the file is stored.
	SHA256 *string `json:"sha256"`

	// The status. `receiving` becomes `analysing` with the last byte, then `ready` or `rejected`.
	Status UploadStatus `json:"status"`

	// Why the upload was rejected, as a sentence. Null unless it was.
	Rejection *string `json:"rejection"`

	// The results of the analysis. Null unless the upload is audio and ready.
	Analysis *Analysis `json:"analysis"`

	// A time in ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`

	// When the upload will be deleted, unless a beat uses it by then. Null if a beat uses it.
	ExpiresAt *Time `json:"expires_at"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Upload) UnmarshalJSON(data []byte) error {
	type fields Upload
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// StorageUse: How much of the storage an account's files take, and may take.
type StorageUse struct {
	Model

	// The size of all files of the account, in bytes: incomplete and ready uploads, the files of beats in every
	// state, replaced files that buyers keep, and the profile picture.
	UsedBytes int `json:"used_bytes"`

	// The limit of the account's plan, in bytes. Null if there is none.
	MaxBytes *int `json:"max_bytes"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *StorageUse) UnmarshalJSON(data []byte) error {
	type fields StorageUse
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Change: A change of the catalogue: a beat was published, updated, sold or withdrawn.
type Change struct {
	Model

	// The position of the change. Positions increase and can have gaps.
	Position int `json:"position"`

	Type ChangeType `json:"type"`

	BeatID int `json:"beat_id"`

	// The present state of the beat, in the form of `GET /beats/{beat_id}`. Null if it is withdrawn now, and in
	// every change of type `withdrawn`.
	Beat *BeatDetail `json:"beat"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Change) UnmarshalJSON(data []byte) error {
	type fields Change
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// LoggedRequest: A request of the account in the request log.
type LoggedRequest struct {
	Model

	// The `X-Request-Id` of the response.
	ID string `json:"id"`

	// When the request arrived: ISO 8601, UTC, milliseconds.
	CreatedAt Time `json:"created_at"`

	Method string `json:"method"`

	// The path of the request.
	Path string `json:"path"`

	// The query string of the request, without the question mark and without secrets.
	Query string `json:"query"`

	// The operation of the path. Null if there is none.
	Operation *string `json:"operation"`

	Status int `json:"status"`

	// The duration until the end of the response, in milliseconds.
	DurationMs float64 `json:"duration_ms"`

	// The key of the request.
	KeyID int `json:"key_id"`

	// The name of the key. Null once the key is deleted.
	KeyName *string `json:"key_name"`

	// The `code` of the error. Null if there is none.
	ErrorCode *string `json:"error_code"`

	// The reason of the refusal, such as `limit:minute` or `parameter:genre`. Null if there is none.
	RefusedBy *string `json:"refused_by"`

	// The dated version of the API in which the response was written, such as `2026-11-20`. Null if it has no
	// version.
	Version *string `json:"version"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *LoggedRequest) UnmarshalJSON(data []byte) error {
	type fields LoggedRequest
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// RequestPage: A page of requests, the newest first.
type RequestPage struct {
	Model

	Requests []LoggedRequest `json:"requests"`

	// The position to continue from: the `after` of the next request. Null when the whole log was searched.
	Next *string `json:"next"`

	// The time of the oldest request that was searched. Null when the whole log was searched.
	SearchedTo *Time `json:"searched_to"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *RequestPage) UnmarshalJSON(data []byte) error {
	type fields RequestPage
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// LoggedRequestDetail: A request with all that the request log stores.
type LoggedRequestDetail struct {
	Model

	// The `X-Request-Id` of the response.
	ID string `json:"id"`

	// When the request arrived: ISO 8601, UTC, milliseconds.
	CreatedAt Time `json:"created_at"`

	Method string `json:"method"`

	// The path of the request.
	Path string `json:"path"`

	// The query string of the request, without the question mark and without secrets.
	Query string `json:"query"`

	// The operation of the path. Null if there is none.
	Operation *string `json:"operation"`

	Status int `json:"status"`

	// The duration until the end of the response, in milliseconds.
	DurationMs float64 `json:"duration_ms"`

	// The key of the request.
	KeyID int `json:"key_id"`

	// The name of the key. Null once the key is deleted.
	KeyName *string `json:"key_name"`

	// The `code` of the error. Null if there is none.
	ErrorCode *string `json:"error_code"`

	// The reason of the refusal, such as `limit:minute` or `parameter:genre`. Null if there is none.
	RefusedBy *string `json:"refused_by"`

	// The dated version of the API in which the response was written, such as `2026-11-20`. Null if it has no
	// version.
	Version *string `json:"version"`

	// The `message` of the error.
	ErrorMessage *string `json:"error_message"`

	// The `details` of the error, without secrets.
	ErrorDetails *string `json:"error_details"`

	// Why the request was refused or failed, in words.
	Reason *string `json:"reason"`

	// What to do.
	Advice *string `json:"advice"`

	// The stored headers of the request. They never include the key or cookies.
	Headers map[string]string `json:"headers"`

	// The header User-Agent. Empty if there is none.
	UserAgent string `json:"user_agent"`

	// The body of the request: up to 4,000 bytes, without secrets and without numbers that could be card
	// numbers. Null if there is none.
	Body *string `json:"body"`

	// The IP address of the client.
	ClientAddress string `json:"client_address"`

	// Whether the request was sent from the explorer, which has its own limits.
	FromExplorer bool `json:"from_explorer"`

	// The events that the request caused, the oldest first.
	EventIDs []string `json:"event_ids"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *LoggedRequestDetail) UnmarshalJSON(data []byte) error {
	type fields LoggedRequestDetail
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Sandbox: A service of your own with its own clock.
type Sandbox struct {
	Model

	// Identifier of the sandbox: 16 letters and digits.
	ID string `json:"id"`

	// The seed from which the sandbox was generated.
	Seed string `json:"seed"`

	// The catalogue that the sandbox began with: `demo` or `empty`.
	Catalogue string `json:"catalogue"`

	// The present time of the sandbox.
	Now Time `json:"now"`

	// The address of the sandbox, which needs no key. The API is below `/v1`.
	BaseURL string `json:"base_url"`

	// When the sandbox was created, in real time.
	CreatedAt Time `json:"created_at"`

	// When the sandbox will be deleted, in real time. Every request to the sandbox extends it.
	ExpiresAt Time `json:"expires_at"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Sandbox) UnmarshalJSON(data []byte) error {
	type fields Sandbox
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// SandboxAdvance: What happened in the sandbox while its clock advanced.
type SandboxAdvance struct {
	Model

	Sandbox Sandbox `json:"sandbox"`

	// Whether the clock advanced by the whole duration. If not, send `remaining`.
	IsComplete bool `json:"is_complete"`

	// The remaining duration: the `by` of the next request.
	Remaining string `json:"remaining"`

	// The number of orders that simulated buyers placed.
	Orders int `json:"orders"`

	// The number of refunds that simulated buyers requested.
	Refunds int `json:"refunds"`

	// The number of disputes that banks of simulated buyers opened.
	Disputes int `json:"disputes"`

	// The number of payouts that were sent to producers.
	Payouts int `json:"payouts"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *SandboxAdvance) UnmarshalJSON(data []byte) error {
	type fields SandboxAdvance
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// TestEvent: The event that the request caused. The order, beat or other object that it names exists, and is
// not deleted afterwards.
type TestEvent struct {
	Model

	// The type of the event.
	Type string `json:"type"`

	// The order that was placed.
	OrderID *int `json:"order_id"`

	// The license that was upgraded, or whose usage was reported.
	LicenseID *string `json:"license_id"`

	// The beat that was created, changed or sold.
	BeatID *int `json:"beat_id"`

	// The upload whose analysis causes the event.
	UploadID *string `json:"upload_id"`

	// The payout to the account.
	PayoutID *int `json:"payout_id"`

	// The account that was created or changed.
	UserID *int `json:"user_id"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *TestEvent) UnmarshalJSON(data []byte) error {
	type fields TestEvent
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// BeatWithdrawal: A beat that only its producer still sees.
type BeatWithdrawal struct {
	Model

	BeatID int `json:"beat_id"`

	Title string `json:"title"`

	ProducerID int `json:"producer_id"`

	ProducerName string `json:"producer_name"`

	WithdrawnAt Time `json:"withdrawn_at"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *BeatWithdrawal) UnmarshalJSON(data []byte) error {
	type fields BeatWithdrawal
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// BeatTakedown: A beat that the operator of the marketplace removed.
type BeatTakedown struct {
	Model

	BeatID int `json:"beat_id"`

	Title string `json:"title"`

	ProducerID int `json:"producer_id"`

	ProducerName string `json:"producer_name"`

	TakenDownAt Time `json:"taken_down_at"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *BeatTakedown) UnmarshalJSON(data []byte) error {
	type fields BeatTakedown
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// ExclusiveSale: A beat whose exclusive license was sold.
type ExclusiveSale struct {
	Model

	BeatID int `json:"beat_id"`

	Title string `json:"title"`

	ProducerID int `json:"producer_id"`

	ProducerName string `json:"producer_name"`

	SoldAt Time `json:"sold_at"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ExclusiveSale) UnmarshalJSON(data []byte) error {
	type fields ExclusiveSale
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Purchase: A completed purchase of a beat.
type Purchase struct {
	Model

	BeatID int `json:"beat_id"`

	Title string `json:"title"`

	ProducerID int `json:"producer_id"`

	ProducerName string `json:"producer_name"`

	LicenseType LicenseType `json:"license_type"`

	// The price of the license, with at most two decimals.
	Amount float64 `json:"amount"`

	// The currency, by ISO 4217.
	Currency string `json:"currency"`

	PurchaserID int `json:"purchaser_id"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Purchase) UnmarshalJSON(data []byte) error {
	type fields Purchase
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// OrderRefund: The refund of an order.
type OrderRefund struct {
	Model

	OrderID int `json:"order_id"`

	BeatID int `json:"beat_id"`

	Title string `json:"title"`

	ProducerID int `json:"producer_id"`

	ProducerName string `json:"producer_name"`

	LicenseType LicenseType `json:"license_type"`

	// The price of the license, with at most two decimals.
	Amount float64 `json:"amount"`

	// The currency, by ISO 4217.
	Currency string `json:"currency"`

	PurchaserID int `json:"purchaser_id"`

	// The part of `amount` that refunds and lost disputes have paid back so far. At most two decimals.
	RefundedAmount float64 `json:"refunded_amount"`

	// When money was last paid back. Null if all refunds were returned.
	RefundedAt *Time `json:"refunded_at"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *OrderRefund) UnmarshalJSON(data []byte) error {
	type fields OrderRefund
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// OrderFailure: An order that failed after it was placed.
type OrderFailure struct {
	Model

	OrderID int `json:"order_id"`

	BeatID int `json:"beat_id"`

	Title string `json:"title"`

	ProducerID int `json:"producer_id"`

	ProducerName string `json:"producer_name"`

	LicenseType LicenseType `json:"license_type"`

	// The price of the license, with at most two decimals.
	Amount float64 `json:"amount"`

	// The currency, by ISO 4217.
	Currency string `json:"currency"`

	PurchaserID int `json:"purchaser_id"`

	// The reason as a sentence.
	FailureReason string `json:"failure_reason"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *OrderFailure) UnmarshalJSON(data []byte) error {
	type fields OrderFailure
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// LicenseUpgrade: A license that was upgraded or renewed.
type LicenseUpgrade struct {
	Model

	OrderID int `json:"order_id"`

	BeatID int `json:"beat_id"`

	Title string `json:"title"`

	ProducerID int `json:"producer_id"`

	ProducerName string `json:"producer_name"`

	LicenseType LicenseType `json:"license_type"`

	// The price of the license, with at most two decimals.
	Amount float64 `json:"amount"`

	// The currency, by ISO 4217.
	Currency string `json:"currency"`

	PurchaserID int `json:"purchaser_id"`

	// The license that the new one replaces.
	ReplacedLicenseID string `json:"replaced_license_id"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *LicenseUpgrade) UnmarshalJSON(data []byte) error {
	type fields LicenseUpgrade
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// UsageRemedy: The license to buy for more of the use.
type UsageRemedy struct {
	Model

	LicenseType string `json:"license_type"`

	// The price of the upgrade today.
	Price float64 `json:"price"`

	// The currency, by ISO 4217.
	Currency string `json:"currency"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *UsageRemedy) UnmarshalJSON(data []byte) error {
	type fields UsageRemedy
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// LicenseUsageReached: The report that the usage of a license has reached 80 or 100 percent of a limit.
type LicenseUsageReached struct {
	Model

	LicenseID string `json:"license_id"`

	OrderID int `json:"order_id"`

	BeatID int `json:"beat_id"`

	Title string `json:"title"`

	LicenseType string `json:"license_type"`

	// What is counted: streams, copies or videos.
	Use CountedUse `json:"use"`

	// The percentage of the limit that the usage has reached: 80 or 100.
	Percent int `json:"percent"`

	Used int `json:"used"`

	Limit int `json:"limit"`

	// The license with a higher limit. Null if none is for sale.
	Remedy *UsageRemedy `json:"remedy"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *LicenseUsageReached) UnmarshalJSON(data []byte) error {
	type fields LicenseUsageReached
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// PublishingFailure: Why a beat could not be published.
type PublishingFailure struct {
	Model

	BeatID int `json:"beat_id"`

	Title string `json:"title"`

	ProducerID int `json:"producer_id"`

	// Whether the beat is on sale. If false, it is a draft, is withdrawn, or its exclusive license is sold.
	IsOnSale bool `json:"is_on_sale"`

	// The reason as a sentence, the same as `rejection` of the beat.
	Reason string `json:"reason"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *PublishingFailure) UnmarshalJSON(data []byte) error {
	type fields PublishingFailure
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Payout: A payment of the marketplace to a producer.
type Payout struct {
	Model

	ID int `json:"id"`

	// The amount of the payout, with at most two decimals.
	Amount float64 `json:"amount"`

	// The currency, by ISO 4217.
	Currency string `json:"currency"`

	Status PayoutStatus `json:"status"`

	// The kind of account that receives the money: a bank account, or an account at Stripe.
	Destination PayoutDestination `json:"destination"`

	// Why the payout failed. Null unless `status` is `failed`.
	FailureReason *string `json:"failure_reason"`

	CreatedAt Time `json:"created_at"`

	SentAt *Time `json:"sent_at"`

	// When the payout arrived or failed. Null before that.
	SettledAt *Time `json:"settled_at"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Payout) UnmarshalJSON(data []byte) error {
	type fields Payout
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// BeatDetail: A beat with its description, tags and licenses. Your own beats have their status, too.
type BeatDetail struct {
	Model

	ID int `json:"id"`

	Title string `json:"title"`

	// The user who produced the beat.
	UserID int `json:"user_id"`

	ProducerName string `json:"producer_name"`

	Genre GenreName `json:"genre"`

	// The price of the basic license, or of the next one if the basic one is not sold. At most two decimals.
	Price float64 `json:"price"`

	// The duration in whole seconds; 0 if it is unknown.
	Duration int `json:"duration"`

	// The tempo in beats per minute. 0 only for a draft of your own whose tempo is unknown.
	BPM int `json:"bpm"`

	// The musical key, such as "C# minor"; "" if it is unknown.
	Key string `json:"key"`

	AudioURL string `json:"audio_url"`

	CoverImage string `json:"cover_image"`

	// A time in ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`

	PlayCount int `json:"play_count"`

	DownloadCount int `json:"download_count"`

	Description string `json:"description"`

	Tags []string `json:"tags"`

	Licenses []License `json:"licenses"`

	// A time in ISO 8601, UTC, whole seconds.
	UpdatedAt Time `json:"updated_at"`

	// The waveform of the whole beat, as JSON of audiowaveform's version 2. Null if there is none.
	WaveformURL *string `json:"waveform_url"`

	// The results of the analysis. Null if the recording was not analysed.
	Analysis *Analysis `json:"analysis"`

	// The status of the beat. Only its producer gets this field and those below.
	Status *BeatStatus `json:"status"`

	// The source of `bpm`. Null while it is unknown.
	BPMSource *FieldSource `json:"bpm_source"`

	// The source of `key`. Null while it is unknown.
	KeySource *FieldSource `json:"key_source"`

	// The tag that is mixed into the preview: `default`, `none`, or the id of an upload.
	PreviewTag *string `json:"preview_tag"`

	// Which licenses are sold, and with which limits.
	LicenseSettings *LicenseSettings `json:"license_settings"`

	// Whether people who give an e-mail address get the tagged MP3 for free.
	FreeDownload *bool `json:"free_download"`

	// The time of the planned publishing. Null if none is planned. It stays until the beat is on sale or could
	// not be published.
	PublishAt *Time `json:"publish_at"`

	// Why the last publishing failed, as a sentence. Null if it did not.
	Rejection *string `json:"rejection"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *BeatDetail) UnmarshalJSON(data []byte) error {
	type fields BeatDetail
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// SimilarBeat: A beat and why it is similar.
type SimilarBeat struct {
	Model

	ID int `json:"id"`

	Title string `json:"title"`

	// The user who produced the beat.
	UserID int `json:"user_id"`

	ProducerName string `json:"producer_name"`

	Genre GenreName `json:"genre"`

	// The price of the basic license, or of the next one if the basic one is not sold. At most two decimals.
	Price float64 `json:"price"`

	// The duration in whole seconds; 0 if it is unknown.
	Duration int `json:"duration"`

	// The tempo in beats per minute.
	BPM int `json:"bpm"`

	// The musical key, such as "C# minor"; "" if it is unknown.
	Key string `json:"key"`

	AudioURL string `json:"audio_url"`

	CoverImage string `json:"cover_image"`

	// A time in ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`

	PlayCount int `json:"play_count"`

	DownloadCount int `json:"download_count"`

	Similarity Similarity `json:"similarity"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *SimilarBeat) UnmarshalJSON(data []byte) error {
	type fields SimilarBeat
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Producer: A public profile with figures about its beats.
type Producer struct {
	Model

	ID int `json:"id"`

	Username string `json:"username"`

	DisplayName string `json:"display_name"`

	Bio *string `json:"bio"`

	Location *string `json:"location"`

	Website *string `json:"website"`

	AvatarURL *string `json:"avatar_url"`

	IsProducer bool `json:"is_producer"`

	// The number of beats on sale.
	BeatsCount int `json:"beats_count"`

	// A time in ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`

	// The number of plays of all beats on sale.
	PlayCount int `json:"play_count"`

	// The most frequent comes first.
	Genres []GenreName `json:"genres"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Producer) UnmarshalJSON(data []byte) error {
	type fields Producer
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// PlaylistDetail: A playlist with its beats.
type PlaylistDetail struct {
	Model

	ID string `json:"id"`

	Title string `json:"title"`

	Description string `json:"description"`

	// Who can read the playlist. `private`: only the account. `public`: everyone who has its id.
	Visibility PlaylistVisibility `json:"visibility"`

	// The id of the owner.
	UserID int `json:"user_id"`

	OwnerName string `json:"owner_name"`

	// The address of the playlist's page.
	URL string `json:"url"`

	// The number of beats that are on sale.
	BeatsCount int `json:"beats_count"`

	// A time in ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`

	// A time in ISO 8601, UTC, whole seconds.
	UpdatedAt Time `json:"updated_at"`

	Beats []Beat `json:"beats"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *PlaylistDetail) UnmarshalJSON(data []byte) error {
	type fields PlaylistDetail
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// CreatedSandbox: A new sandbox with its key.
type CreatedSandbox struct {
	Model

	// Identifier of the sandbox: 16 letters and digits.
	ID string `json:"id"`

	// The seed from which the sandbox was generated.
	Seed string `json:"seed"`

	// The catalogue that the sandbox began with: `demo` or `empty`.
	Catalogue string `json:"catalogue"`

	// The present time of the sandbox.
	Now Time `json:"now"`

	// The address of the sandbox, which needs no key. The API is below `/v1`.
	BaseURL string `json:"base_url"`

	// When the sandbox was created, in real time.
	CreatedAt Time `json:"created_at"`

	// When the sandbox will be deleted, in real time. Every request to the sandbox extends it.
	ExpiresAt Time `json:"expires_at"`

	// A key with all permissions, which is shown only once.
	ApiKey string `json:"api_key"`

	// The secret that verifies the deliveries to `webhook_url`. Null without a `webhook_url`, and for a copy,
	// which keeps the secret of the original.
	WebhookSecret *string `json:"webhook_secret"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *CreatedSandbox) UnmarshalJSON(data []byte) error {
	type fields CreatedSandbox
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// BeatUpdated: A beat with its details, and the names of the changed fields.
type BeatUpdated struct {
	Model

	ID int `json:"id"`

	Title string `json:"title"`

	// The user who produced the beat.
	UserID int `json:"user_id"`

	ProducerName string `json:"producer_name"`

	Genre GenreName `json:"genre"`

	// The price of the basic license, or of the next one if the basic one is not sold. At most two decimals.
	Price float64 `json:"price"`

	// The duration in whole seconds; 0 if it is unknown.
	Duration int `json:"duration"`

	// The tempo in beats per minute.
	BPM int `json:"bpm"`

	// The musical key, such as "C# minor"; "" if it is unknown.
	Key string `json:"key"`

	AudioURL string `json:"audio_url"`

	CoverImage string `json:"cover_image"`

	// A time in ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`

	PlayCount int `json:"play_count"`

	DownloadCount int `json:"download_count"`

	Description string `json:"description"`

	Tags []string `json:"tags"`

	Licenses []License `json:"licenses"`

	// The waveform of the whole beat, as JSON of audiowaveform's version 2. Null if there is none.
	WaveformURL *string `json:"waveform_url"`

	// The results of the analysis. Null if the recording was not analysed.
	Analysis *Analysis `json:"analysis"`

	// Whether a license of the beat is for sale.
	Available bool `json:"available"`

	// The names of the changed fields.
	Changed []string `json:"changed"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *BeatUpdated) UnmarshalJSON(data []byte) error {
	type fields BeatUpdated
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// UserUpdated: A public profile, and the names of the changed fields.
type UserUpdated struct {
	Model

	ID int `json:"id"`

	Username string `json:"username"`

	DisplayName string `json:"display_name"`

	Bio *string `json:"bio"`

	Location *string `json:"location"`

	Website *string `json:"website"`

	AvatarURL *string `json:"avatar_url"`

	IsProducer bool `json:"is_producer"`

	// The number of beats on sale.
	BeatsCount int `json:"beats_count"`

	// A time in ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`

	// The names of the changed fields.
	Changed []string `json:"changed"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *UserUpdated) UnmarshalJSON(data []byte) error {
	type fields UserUpdated
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// newEventData is an empty model for the data of an event, nil for a type that is newer than this client.
func newEventData(eventType EventType) any {
	switch eventType {
	// A new beat was uploaded.
	case "beat.created":
		return &Beat{}
	// A beat was updated, or its exclusive license was sold.
	case "beat.updated":
		return &BeatUpdated{}
	// A beat is withdrawn: its producer took it off sale, or an operator took it down.
	case "beat.withdrawn":
		return &BeatWithdrawal{}
	// An operator took a beat down.
	case "beat.taken_down":
		return &BeatTakedown{}
	// The exclusive license of a beat was sold.
	case "beat.sold_exclusively":
		return &ExclusiveSale{}
	// A beat was purchased.
	case "beat.purchased":
		return &Purchase{}
	// Money of an order was paid back, or a refund was returned.
	case "order.refunded":
		return &OrderRefund{}
	// The payment of a pending order failed after the order was placed.
	case "order.failed":
		return &OrderFailure{}
	// A license was upgraded or renewed.
	case "license.upgraded":
		return &LicenseUpgrade{}
	// The reported usage of a license reached 80 or 100 percent of a limit.
	case "license.usage":
		return &LicenseUsageReached{}
	// An upload was analysed and can be used.
	case "upload.ready":
		return &Upload{}
	// An upload cannot be used.
	case "upload.rejected":
		return &Upload{}
	// A beat could not be published, or not with its new files.
	case "beat.publishing_failed":
		return &PublishingFailure{}
	// A payout is on its way to a bank account.
	case "payout.sent":
		return &Payout{}
	// A payout arrived.
	case "payout.paid":
		return &Payout{}
	// A payout failed or came back; its money is in the balance again.
	case "payout.failed":
		return &Payout{}
	// A new user registered.
	case "user.registered":
		return &User{}
	// A user's profile was updated.
	case "user.updated":
		return &UserUpdated{}
	default:
		return nil
	}
}

// EventTypes are the types of events that this client knows.
func EventTypes() []EventType {
	return []EventType{
		"beat.created",
		"beat.updated",
		"beat.withdrawn",
		"beat.taken_down",
		"beat.sold_exclusively",
		"beat.purchased",
		"order.refunded",
		"order.failed",
		"license.upgraded",
		"license.usage",
		"upload.ready",
		"upload.rejected",
		"beat.publishing_failed",
		"payout.sent",
		"payout.paid",
		"payout.failed",
		"user.registered",
		"user.updated",
	}
}

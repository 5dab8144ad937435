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

	// The producing user.
	UserID int `json:"user_id"`

	ProducerName string `json:"producer_name"`

	Genre GenreName `json:"genre"`

	// The price of the basic license, or of the next one if the basic one is not sold; at most two decimals.
	Price float64 `json:"price"`

	// Whole seconds; 0 when unknown.
	Duration int `json:"duration"`

	// Tempo in beats per minute.
	BPM int `json:"bpm"`

	// Musical key such as "C# minor"; "" when unknown.
	Key string `json:"key"`

	AudioURL string `json:"audio_url"`

	CoverImage string `json:"cover_image"`

	// ISO 8601, UTC, whole seconds.
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

	// Follow it to walk the whole list; null on the last page.
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

	// As in beats; "" for an unknown key.
	Value Value `json:"value"`

	Count int `json:"count"`

	// The highest, as for `bpm_max`.
	Max *float64 `json:"max"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *FacetCount) UnmarshalJSON(data []byte) error {
	type fields FacetCount
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Facets: How many beats have each value, by what was asked for.
type Facets struct {
	Model

	// Most frequent first.
	Genre []FacetCount `json:"genre"`

	// Most frequent first.
	Key []FacetCount `json:"key"`

	// In ranges of ten, slowest first.
	BPM []FacetCount `json:"bpm"`

	// At most ten ranges, lowest first.
	Price []FacetCount `json:"price"`

	// The 100 most frequent, most frequent first.
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

	// False for every license while the exclusive one is being bought, and once it is sold.
	Available bool `json:"available"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *License) UnmarshalJSON(data []byte) error {
	type fields License
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Analysis: The results of the analysis of a recording. A value that was not found is null.
type Analysis struct {
	Model

	// Beats per minute; null if the recording has none.
	BPM *float64 `json:"bpm"`

	// How sure the tempo is, from 0 to 1.
	BPMConfidence *float64 `json:"bpm_confidence"`

	// The next best tempo, often twice or half of it.
	BPMAlternative *float64 `json:"bpm_alternative"`

	// The musical key, such as `C# minor`; null if the recording has none.
	Key *string `json:"key"`

	// How sure the key is, from 0 to 1.
	KeyConfidence *float64 `json:"key_confidence"`

	// The next best key.
	KeyAlternative *string `json:"key_alternative"`

	// In seconds.
	Duration int `json:"duration"`

	// The format, by the file's bytes: `wav`, `aiff`, `flac`, `mp3`, `ogg` or `m4a`. The last three are lossy:
	// licenses of such a recording bring no WAV.
	Format string `json:"format"`

	// In Hz.
	SampleRate int `json:"sample_rate"`

	Channels int `json:"channels"`

	// Integrated loudness by EBU R128; null for silence.
	LoudnessLufs *float64 `json:"loudness_lufs"`

	// The true peak in dBTP; null for silence.
	TruePeakDbtp *float64 `json:"true_peak_dbtp"`

	// Samples in runs at full scale.
	ClippedSamples int `json:"clipped_samples"`

	// Seconds of silence before the first sound.
	SilenceStart float64 `json:"silence_start"`

	// Seconds of silence after the last sound.
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

	// Also for a license that is not sold.
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

	// 1 is a perfect match.
	Score float64 `json:"score"`

	// The octave in which this beat's tempo was compared: 0.5, 1 or 2; 2 when it is about twice as fast.
	TempoRatio float64 `json:"tempo_ratio"`

	// Absolute difference of the tempi in that octave, two decimals.
	BPMDifferencePercent float64 `json:"bpm_difference_percent"`

	// On the circle of fifths; other also where a key is unknown.
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

	// Beats on sale.
	BeatsCount int `json:"beats_count"`

	// ISO 8601, UTC, whole seconds.
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

	// Beats on sale in this genre.
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

// Interpretation: What was understood of a search, in the names of parameters.
type Interpretation struct {
	Model

	// The words that were searched for.
	Q string `json:"q"`

	BPMMin *int `json:"bpm_min"`

	BPMMax *int `json:"bpm_max"`

	// In the form of the parameter `key`.
	Key *string `json:"key"`

	PriceMin *float64 `json:"price_min"`

	PriceMax *float64 `json:"price_max"`

	// The typed tempo, and the range that was searched instead, because nothing has the tempo together with the
	// rest.
	Widened map[string]string `json:"widened"`

	// Corrections: the replacement of each corrected word.
	Corrected map[string]string `json:"corrected"`

	// Parts of the search text that were left out, because nothing matches them together with the rest.
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

	// The page on which the buyer finishes the payment.
	URL string `json:"url"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *NextAction) UnmarshalJSON(data []byte) error {
	type fields NextAction
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Order: A license that the account bought, or tried to.
type Order struct {
	Model

	ID int `json:"id"`

	// pending becomes completed or failed; both are final.
	Status OrderStatus `json:"status"`

	// The beat as it was when it was bought.
	Beat OrderBeat `json:"beat"`

	LicenseType LicenseType `json:"license_type"`

	// At most two decimals.
	Amount float64 `json:"amount"`

	// ISO 4217.
	Currency string `json:"currency"`

	PaymentMethod string `json:"payment_method"`

	// A sentence; null unless failed.
	FailureReason *string `json:"failure_reason"`

	// ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`

	// Null unless completed.
	CompletedAt *Time `json:"completed_at"`

	// The part of `amount` that was paid back by refunds and lost disputes. At most two decimals.
	RefundedAmount float64 `json:"refunded_amount"`

	// When money was last paid back; null if none was. The order stays completed.
	RefundedAt *Time `json:"refunded_at"`

	// With Stripe: the secret with which Stripe's own scripts finish the payment in the buyer's browser. Null
	// unless pending.
	ClientSecret *string `json:"client_secret"`

	// The buyer's next step, such as 3-D Secure: open `url`. Null unless pending.
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

	// The license that the item upgrades or renews; null for none.
	UpgradesLicense *string `json:"upgrades_license"`

	// What the license in `upgrades_license` takes off the current price. At most two decimals.
	Credit float64 `json:"credit"`

	// The part of its price that discounts take off. At most two decimals.
	Discount float64 `json:"discount"`

	// The price when the checkout was made, less credit and discount. At most two decimals.
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

	// Null for a discount that needs no code.
	Code *string `json:"code"`

	// The amount that it takes off. At most two decimals.
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

	// The page on which a person pays. Open it in a browser. Null only while the provider cannot be reached.
	URL *string `json:"url"`

	// open becomes completed with the payment, expired at `expires_at`, or cancelled when an item is gone.
	Status CheckoutStatus `json:"status"`

	// The sum of the items. At most two decimals.
	Amount float64 `json:"amount"`

	// ISO 4217.
	Currency string `json:"currency"`

	SuccessURL *string `json:"success_url"`

	CancelURL *string `json:"cancel_url"`

	// A sentence; null unless cancelled.
	FailureReason *string `json:"failure_reason"`

	// ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`

	// ISO 8601, UTC, whole seconds.
	ExpiresAt Time `json:"expires_at"`

	Items []CheckoutItem `json:"items"`

	// The discounts that were applied, each with the amount that it took off.
	Discounts []AppliedDiscount `json:"discounts"`

	// One for each item, once the payment came through. Empty before.
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

	// The license that the item upgrades or renews; null for none.
	UpgradesLicense *string `json:"upgrades_license"`

	// What the license in `upgrades_license` takes off the current price. At most two decimals.
	Credit float64 `json:"credit"`

	// Today's price, less the credit. At most two decimals.
	Price float64 `json:"price"`

	// The sum of discounts. At most two decimals.
	Discount float64 `json:"discount"`

	// The amount to pay. At most two decimals.
	Amount float64 `json:"amount"`

	// The discount that `discount` comes from.
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

	// Null for a discount that needs no code.
	Code *string `json:"code"`

	// The amount that it takes off. At most two decimals.
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

	// Of the discount; null for an unknown code.
	ID *int `json:"id"`

	Name *string `json:"name"`

	Kind *DiscountKind `json:"kind"`

	// Null for a discount that needs no code.
	Code *string `json:"code"`

	// Whether it takes something off.
	Applied bool `json:"applied"`

	// A sentence: what it takes off, or why nothing.
	Reason string `json:"reason"`

	// The amount that it takes off. At most two decimals.
	Amount float64 `json:"amount"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *QuoteRule) UnmarshalJSON(data []byte) error {
	type fields QuoteRule
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Quote: What a purchase would cost, with every discount that was tried.
type Quote struct {
	Model

	// What a checkout of the items charges. At most two decimals.
	Amount float64 `json:"amount"`

	// ISO 4217.
	Currency string `json:"currency"`

	// In the order of the request.
	Items []QuoteItem `json:"items"`

	// The discounts that take something off.
	Discounts []QuoteDiscount `json:"discounts"`

	// Every discount that was tried.
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

	// With its title when it was bought.
	Beat SaleBeat `json:"beat"`

	LicenseType LicenseType `json:"license_type"`

	// At most two decimals.
	Amount float64 `json:"amount"`

	// The part of the amount that was paid back; 0 without a refund.
	RefundedAmount float64 `json:"refunded_amount"`

	// ISO 4217.
	Currency string `json:"currency"`

	// The buyer's name, as on the license.
	Buyer SaleBuyer `json:"buyer"`

	// Identifier of the license; null until it is issued.
	LicenseID *string `json:"license_id"`

	// Number of files that the buyer has downloaded.
	Downloads int `json:"downloads"`

	// ISO 8601, UTC, whole seconds.
	CompletedAt Time `json:"completed_at"`

	// Of the last refund; null without one.
	RefundedAt *Time `json:"refunded_at"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Sale) UnmarshalJSON(data []byte) error {
	type fields Sale
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// OrderFile: A file of an order. Its `url` needs no key until it expires.
type OrderFile struct {
	Model

	// `mp3`: untagged, of 320 kbit/s; of a lossy recording at its own bit rate. `wav`: the recording, if it is
	// lossless. `stems`: the producer's ZIP. `license`: the certificate, a PDF.
	Kind FileKind `json:"kind"`

	// The name under which a browser saves it.
	Filename string `json:"filename"`

	// Size of the file.
	Bytes int `json:"bytes"`

	// Hash of the file's bytes.
	SHA256 string `json:"sha256"`

	// A signed link: any client that has it can download the file until it expires, without a key. It supports
	// `Range`.
	URL string `json:"url"`

	// ISO 8601, UTC, whole seconds: 15 minutes from now. A download under way is not cut off.
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

	// The certificate's facts, signed (JWS, EdDSA) with a key of `/.well-known/jwks.json`.
	Jws string `json:"jws"`

	Type LicenseType `json:"type"`

	// The version of the terms of the sale.
	TermsVersion string `json:"terms_version"`

	// `expired` once its last day is over, `refunded` once the order is refunded in full, `replaced` once an
	// upgrade or renewal replaced it.
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

	// The files of the license, in the order mp3, wav, stems, license. Empty once refunded in full.
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

	// `INV-2026-000042`, or `CN-2026-000007` of a credit note.
	Number string `json:"number"`

	// `credit_note` takes back what was paid.
	Kind InvoiceKind `json:"kind"`

	// UTC time.
	IssuedAt Time `json:"issued_at"`

	// Tax included; positive in both kinds. At most two decimals.
	Amount float64 `json:"amount"`

	// ISO 4217 code.
	Currency string `json:"currency"`

	// A name for the file: its number.
	Filename string `json:"filename"`

	// The PDF. The link needs no key.
	URL string `json:"url"`

	// When the link ends; UTC time.
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

	// The clause that decides, or the one that comes nearest.
	Clause LicenseClause `json:"clause"`

	// Its sentence, word for word as in the certificate.
	Text string `json:"text"`

	// Its number; null for any number, and for clauses without one.
	Limit *int `json:"limit"`

	// The usage that the holder has reported; null without a report.
	Used *int `json:"used"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *LicenseReason) UnmarshalJSON(data []byte) error {
	type fields LicenseReason
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// LicenseRemedy: What to buy for a yes.
type LicenseRemedy struct {
	Model

	// The higher license to buy; null if `renew` is the remedy.
	Upgrade *LicenseType `json:"upgrade"`

	// The same license to buy again; null if `upgrade` is the remedy.
	Renew *LicenseType `json:"renew"`

	// Its price today, before discounts; with the holder's key, the difference of an upgrade.
	Price float64 `json:"price"`

	Currency string `json:"currency"`

	// The last day of the license that is bought today; null without an end.
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

	// Of the license, today.
	Status LicenseState `json:"status"`

	// The license that replaced it by an upgrade or renewal: ask that one. Null without one, and until its
	// certificate is issued.
	ReplacedBy *string `json:"replaced_by"`

	Use string `json:"use"`

	Quantity int `json:"quantity"`

	// As in the request; null for no certain country.
	Territory *string `json:"territory"`

	// The day of the answer.
	On string `json:"on"`

	// `unknown`: the terms do not speak of this use.
	Allowed Allowance `json:"allowed"`

	// Null only if no clause comes near.
	Because *LicenseReason `json:"because"`

	// The purchase that would allow the use; null unless the answer is no, and if no purchase would.
	Remedy *LicenseRemedy `json:"remedy"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *LicenseVerdict) UnmarshalJSON(data []byte) error {
	type fields LicenseVerdict
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// UsageReport: What a source counted of a use in a month.
type UsageReport struct {
	Model

	// The use: the name of its clause.
	Use CountedUse `json:"use"`

	// The number in the period.
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

	// The use: the name of its clause.
	Use CountedUse `json:"use"`

	// The sum over all periods and sources, including the usage before an upgrade.
	Used int `json:"used"`

	// The number of the clause; null for any number.
	Limit *int `json:"limit"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *UsageSum) UnmarshalJSON(data []byte) error {
	type fields UsageSum
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// LicenseUsage: The usage that the holder of a license has reported.
type LicenseUsage struct {
	Model

	LicenseID string `json:"license_id"`

	// By use, period and source.
	Reports []UsageReport `json:"reports"`

	// One for each use.
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

	// ISO 8601, UTC, whole seconds. Null for a beat that is no favorite.
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

	// The producer.
	UserID int `json:"user_id"`

	// ISO 8601, UTC, whole seconds. Null for a producer whom the account does not follow.
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

	// `private`: only for the account. `public`: for everyone who has its id.
	Visibility PlaylistVisibility `json:"visibility"`

	// The id of its owner.
	UserID int `json:"user_id"`

	OwnerName string `json:"owner_name"`

	// The address of its page.
	URL string `json:"url"`

	// Beats that are on sale.
	BeatsCount int `json:"beats_count"`

	// ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`

	// ISO 8601, UTC, whole seconds.
	UpdatedAt Time `json:"updated_at"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Playlist) UnmarshalJSON(data []byte) error {
	type fields Playlist
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Upload: A file that was uploaded, or whose bytes are still arriving.
type Upload struct {
	Model

	ID string `json:"id"`

	Kind UploadKind `json:"kind"`

	// As sent. A text, never a path.
	Filename string `json:"filename"`

	// Of the whole file.
	Bytes int `json:"bytes"`

	// The number of bytes that have arrived.
	Received int `json:"received"`

	// Of the file as it was sent; null until it is stored.
	SHA256 *string `json:"sha256"`

	// receiving becomes analysing with the last byte, then ready or rejected.
	Status UploadStatus `json:"status"`

	// Why it was rejected, as a sentence; null unless it was.
	Rejection *string `json:"rejection"`

	// Of audio that is ready; null otherwise.
	Analysis *Analysis `json:"analysis"`

	// ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`

	// When it is deleted, unless a beat uses it by then; null when one does.
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

	// Uploads that are incomplete or ready, and the files of beats in every state.
	UsedBytes int `json:"used_bytes"`

	// What the account's plan allows; null without a bound.
	MaxBytes *int `json:"max_bytes"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *StorageUse) UnmarshalJSON(data []byte) error {
	type fields StorageUse
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Change: A change of a listed beat.
type Change struct {
	Model

	// Increases from change to change; there may be gaps.
	Position int `json:"position"`

	Type ChangeType `json:"type"`

	BeatID int `json:"beat_id"`

	// The beat as it is now, in the form of `GET /beats/{beat_id}`; null when it is withdrawn now, and in every
	// change of type `withdrawn`.
	Beat *BeatDetail `json:"beat"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Change) UnmarshalJSON(data []byte) error {
	type fields Change
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// LoggedRequest: A request of the account, as the request log keeps it.
type LoggedRequest struct {
	Model

	// The `X-Request-Id` of the response.
	ID string `json:"id"`

	// When it arrived, ISO 8601, UTC, milliseconds.
	CreatedAt Time `json:"created_at"`

	Method string `json:"method"`

	// As called.
	Path string `json:"path"`

	// As called, without the question mark and without secrets.
	Query string `json:"query"`

	// The operation of the path; null where there is none.
	Operation *string `json:"operation"`

	Status int `json:"status"`

	// How long the response took, in milliseconds.
	DurationMs float64 `json:"duration_ms"`

	// The key of the request.
	KeyID int `json:"key_id"`

	// Null once the key is deleted.
	KeyName *string `json:"key_name"`

	// The `code` of its error; null without one.
	ErrorCode *string `json:"error_code"`

	// The reason of the refusal, such as `limit:minute` or `parameter:genre`; null without one.
	RefusedBy *string `json:"refused_by"`

	// The dated version of the API that answered, such as `2026-11-20`; null where none did.
	Version *string `json:"version"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *LoggedRequest) UnmarshalJSON(data []byte) error {
	type fields LoggedRequest
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// RequestPage: Requests, newest first, and the position after them.
type RequestPage struct {
	Model

	Requests []LoggedRequest `json:"requests"`

	// The position to continue from, as `after` of the next call; null when the whole log was searched.
	Next *string `json:"next"`

	// The time of the oldest request that was searched; null when the whole log was.
	SearchedTo *Time `json:"searched_to"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *RequestPage) UnmarshalJSON(data []byte) error {
	type fields RequestPage
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// LoggedRequestDetail: A request with everything that the request log keeps.
type LoggedRequestDetail struct {
	Model

	// The `X-Request-Id` of the response.
	ID string `json:"id"`

	// When it arrived, ISO 8601, UTC, milliseconds.
	CreatedAt Time `json:"created_at"`

	Method string `json:"method"`

	// As called.
	Path string `json:"path"`

	// As called, without the question mark and without secrets.
	Query string `json:"query"`

	// The operation of the path; null where there is none.
	Operation *string `json:"operation"`

	Status int `json:"status"`

	// How long the response took, in milliseconds.
	DurationMs float64 `json:"duration_ms"`

	// The key of the request.
	KeyID int `json:"key_id"`

	// Null once the key is deleted.
	KeyName *string `json:"key_name"`

	// The `code` of its error; null without one.
	ErrorCode *string `json:"error_code"`

	// The reason of the refusal, such as `limit:minute` or `parameter:genre`; null without one.
	RefusedBy *string `json:"refused_by"`

	// The dated version of the API that answered, such as `2026-11-20`; null where none did.
	Version *string `json:"version"`

	// The `message` of its error.
	ErrorMessage *string `json:"error_message"`

	// The `details` of its error, without secrets.
	ErrorDetails *string `json:"error_details"`

	// Why it was refused or failed, in words.
	Reason *string `json:"reason"`

	// The remedy.
	Advice *string `json:"advice"`

	// The headers of the request that are kept. Never its key, nor cookies.
	Headers map[string]string `json:"headers"`

	// Empty without one.
	UserAgent string `json:"user_agent"`

	// The body as sent, up to 4,000 bytes, without secrets and what may be the number of a card. Null without
	// one.
	Body *string `json:"body"`

	// The IP address of the client.
	ClientAddress string `json:"client_address"`

	// Whether it was sent from the explorer, which has its own limits.
	FromExplorer bool `json:"from_explorer"`

	// The events that it caused, oldest first.
	EventIDs []string `json:"event_ids"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *LoggedRequestDetail) UnmarshalJSON(data []byte) error {
	type fields LoggedRequestDetail
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// Sandbox: A service of your own, with its own time.
type Sandbox struct {
	Model

	// 16 letters and digits.
	ID string `json:"id"`

	// What it grew from.
	Seed string `json:"seed"`

	// `demo` or `empty`.
	Catalogue string `json:"catalogue"`

	// The time of the sandbox.
	Now Time `json:"now"`

	// Where it is reached without a key; the API is below `/v1`.
	BaseURL string `json:"base_url"`

	// Real time.
	CreatedAt Time `json:"created_at"`

	// Real time: when it is deleted, unless a request reaches it before.
	ExpiresAt Time `json:"expires_at"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Sandbox) UnmarshalJSON(data []byte) error {
	type fields Sandbox
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// SandboxAdvance: What an advance did.
type SandboxAdvance struct {
	Model

	Sandbox Sandbox `json:"sandbox"`

	// False where the time of a call did not suffice.
	IsComplete bool `json:"is_complete"`

	// What is left, as `by` of the next call.
	Remaining string `json:"remaining"`

	// Orders that simulated buyers placed.
	Orders int `json:"orders"`

	// Refunds that they wanted.
	Refunds int `json:"refunds"`

	// Disputes that their banks opened.
	Disputes int `json:"disputes"`

	// Payouts to producers that were sent.
	Payouts int `json:"payouts"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *SandboxAdvance) UnmarshalJSON(data []byte) error {
	type fields SandboxAdvance
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// TestEvent: An event that was caused, with the ids of what it is about. All of it exists, and stays.
type TestEvent struct {
	Model

	// The type of the event.
	Type string `json:"type"`

	// The order that was placed.
	OrderID *int `json:"order_id"`

	// The license that was upgraded, or whose usage was reported.
	LicenseID *string `json:"license_id"`

	// The beat that was made, changed or sold.
	BeatID *int `json:"beat_id"`

	// The upload whose analysis causes the event.
	UploadID *string `json:"upload_id"`

	// The payout to the account.
	PayoutID *int `json:"payout_id"`

	// The account that was made or changed.
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

	// At most two decimals.
	Amount float64 `json:"amount"`

	// ISO 4217.
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

	// At most two decimals.
	Amount float64 `json:"amount"`

	// ISO 4217.
	Currency string `json:"currency"`

	PurchaserID int `json:"purchaser_id"`

	// The part of `amount` that was paid back so far by refunds and lost disputes. At most two decimals.
	RefundedAmount float64 `json:"refunded_amount"`

	// When money was last paid back; null if all of it was returned.
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

	// At most two decimals.
	Amount float64 `json:"amount"`

	// ISO 4217.
	Currency string `json:"currency"`

	PurchaserID int `json:"purchaser_id"`

	// A sentence.
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

	// At most two decimals.
	Amount float64 `json:"amount"`

	// ISO 4217.
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

// UsageRemedy: The license to buy for more.
type UsageRemedy struct {
	Model

	LicenseType string `json:"license_type"`

	// What the upgrade costs today.
	Price float64 `json:"price"`

	// ISO 4217.
	Currency string `json:"currency"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *UsageRemedy) UnmarshalJSON(data []byte) error {
	type fields UsageRemedy
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// LicenseUsageReached: The usage of a license reached a part of its limit.
type LicenseUsageReached struct {
	Model

	LicenseID string `json:"license_id"`

	OrderID int `json:"order_id"`

	BeatID int `json:"beat_id"`

	Title string `json:"title"`

	LicenseType string `json:"license_type"`

	// The use: the name of its clause.
	Use CountedUse `json:"use"`

	// 80 or 100: the percentage of the limit that the usage has reached.
	Percent int `json:"percent"`

	Used int `json:"used"`

	Limit int `json:"limit"`

	// The license with a higher limit; null if none is for sale.
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

	// Whether the beat is on sale as it was before; if not, it is a draft, or stays as it was sold.
	IsOnSale bool `json:"is_on_sale"`

	// A sentence, as `rejection` of the beat.
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

	// At most two decimals.
	Amount float64 `json:"amount"`

	// ISO 4217.
	Currency string `json:"currency"`

	Status PayoutStatus `json:"status"`

	// What receives the money: a bank account, or one at Stripe.
	Destination PayoutDestination `json:"destination"`

	// Null unless `status` is `failed`.
	FailureReason *string `json:"failure_reason"`

	CreatedAt Time `json:"created_at"`

	SentAt *Time `json:"sent_at"`

	// When the payout arrived or failed; null before.
	SettledAt *Time `json:"settled_at"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *Payout) UnmarshalJSON(data []byte) error {
	type fields Payout
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// BeatDetail: A beat with its description, tags and licenses; one of your own with its status too.
type BeatDetail struct {
	Model

	ID int `json:"id"`

	Title string `json:"title"`

	// The producing user.
	UserID int `json:"user_id"`

	ProducerName string `json:"producer_name"`

	Genre GenreName `json:"genre"`

	// The price of the basic license, or of the next one if the basic one is not sold; at most two decimals.
	Price float64 `json:"price"`

	// Whole seconds; 0 when unknown.
	Duration int `json:"duration"`

	// Tempo in beats per minute; 0 only for a draft of one's own whose tempo is not known yet.
	BPM int `json:"bpm"`

	// Musical key such as "C# minor"; "" when unknown.
	Key string `json:"key"`

	AudioURL string `json:"audio_url"`

	CoverImage string `json:"cover_image"`

	// ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`

	PlayCount int `json:"play_count"`

	DownloadCount int `json:"download_count"`

	Description string `json:"description"`

	Tags []string `json:"tags"`

	Licenses []License `json:"licenses"`

	// ISO 8601, UTC, whole seconds.
	UpdatedAt Time `json:"updated_at"`

	// The waveform of the whole beat, as JSON of audiowaveform's version 2; null without one.
	WaveformURL *string `json:"waveform_url"`

	// The results of the analysis; null for a recording that was not analysed.
	Analysis *Analysis `json:"analysis"`

	// Only for the beat's producer, like all fields below.
	Status *BeatStatus `json:"status"`

	// The source of `bpm`; null while it is unknown.
	BPMSource *FieldSource `json:"bpm_source"`

	// The source of `key`; null while it is unknown.
	KeySource *FieldSource `json:"key_source"`

	// What is mixed into the preview: `default`, `none`, or the id of an upload.
	PreviewTag *string `json:"preview_tag"`

	// Which licenses are sold, and with which limits.
	LicenseSettings *LicenseSettings `json:"license_settings"`

	// Whether the tagged MP3 is free for an address.
	FreeDownload *bool `json:"free_download"`

	// The moment of the planned publishing; null without one. It stays until the beat is on sale, or could not
	// be published.
	PublishAt *Time `json:"publish_at"`

	// Why the last publishing failed, as a sentence; null if it did not.
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

	// The producing user.
	UserID int `json:"user_id"`

	ProducerName string `json:"producer_name"`

	Genre GenreName `json:"genre"`

	// The price of the basic license, or of the next one if the basic one is not sold; at most two decimals.
	Price float64 `json:"price"`

	// Whole seconds; 0 when unknown.
	Duration int `json:"duration"`

	// Tempo in beats per minute.
	BPM int `json:"bpm"`

	// Musical key such as "C# minor"; "" when unknown.
	Key string `json:"key"`

	AudioURL string `json:"audio_url"`

	CoverImage string `json:"cover_image"`

	// ISO 8601, UTC, whole seconds.
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

	// Beats on sale.
	BeatsCount int `json:"beats_count"`

	// ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`

	// Plays of all beats on sale.
	PlayCount int `json:"play_count"`

	// Most used first.
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

	// `private`: only for the account. `public`: for everyone who has its id.
	Visibility PlaylistVisibility `json:"visibility"`

	// The id of its owner.
	UserID int `json:"user_id"`

	OwnerName string `json:"owner_name"`

	// The address of its page.
	URL string `json:"url"`

	// Beats that are on sale.
	BeatsCount int `json:"beats_count"`

	// ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`

	// ISO 8601, UTC, whole seconds.
	UpdatedAt Time `json:"updated_at"`

	Beats []Beat `json:"beats"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *PlaylistDetail) UnmarshalJSON(data []byte) error {
	type fields PlaylistDetail
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// CreatedSandbox: A new sandbox with the only copy of its key.
type CreatedSandbox struct {
	Model

	// 16 letters and digits.
	ID string `json:"id"`

	// What it grew from.
	Seed string `json:"seed"`

	// `demo` or `empty`.
	Catalogue string `json:"catalogue"`

	// The time of the sandbox.
	Now Time `json:"now"`

	// Where it is reached without a key; the API is below `/v1`.
	BaseURL string `json:"base_url"`

	// Real time.
	CreatedAt Time `json:"created_at"`

	// Real time: when it is deleted, unless a request reaches it before.
	ExpiresAt Time `json:"expires_at"`

	// A key with all permissions. It is shown this once.
	ApiKey string `json:"api_key"`

	// Verifies the deliveries to `webhook_url`; null without one, and in a fork, whose secret stays the same.
	WebhookSecret *string `json:"webhook_secret"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *CreatedSandbox) UnmarshalJSON(data []byte) error {
	type fields CreatedSandbox
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// BeatUpdated: A beat with its details, and what changed in it.
type BeatUpdated struct {
	Model

	ID int `json:"id"`

	Title string `json:"title"`

	// The producing user.
	UserID int `json:"user_id"`

	ProducerName string `json:"producer_name"`

	Genre GenreName `json:"genre"`

	// The price of the basic license, or of the next one if the basic one is not sold; at most two decimals.
	Price float64 `json:"price"`

	// Whole seconds; 0 when unknown.
	Duration int `json:"duration"`

	// Tempo in beats per minute.
	BPM int `json:"bpm"`

	// Musical key such as "C# minor"; "" when unknown.
	Key string `json:"key"`

	AudioURL string `json:"audio_url"`

	CoverImage string `json:"cover_image"`

	// ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`

	PlayCount int `json:"play_count"`

	DownloadCount int `json:"download_count"`

	Description string `json:"description"`

	Tags []string `json:"tags"`

	Licenses []License `json:"licenses"`

	// The waveform of the whole beat, as JSON of audiowaveform's version 2; null without one.
	WaveformURL *string `json:"waveform_url"`

	// The results of the analysis; null for a recording that was not analysed.
	Analysis *Analysis `json:"analysis"`

	// Whether licenses of it are for sale.
	Available bool `json:"available"`

	// Names of the fields that changed.
	Changed []string `json:"changed"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *BeatUpdated) UnmarshalJSON(data []byte) error {
	type fields BeatUpdated
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// UserUpdated: A public profile and what changed in it.
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

	// Beats on sale.
	BeatsCount int `json:"beats_count"`

	// ISO 8601, UTC, whole seconds.
	CreatedAt Time `json:"created_at"`

	// Names of the fields that changed.
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

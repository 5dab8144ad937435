// Code generated from contract/openapi.json by npm run contract. DO NOT EDIT.

package beatmarket

import (
	"context"
	"iter"
)

// services are the parts of a client.
type services struct {
	// The beats on sale, and your own.
	Beats *BeatsService

	// Public profiles, and your own.
	Users *UsersService

	// Users who sell beats.
	Producers *ProducersService

	// The genres of the catalogue.
	Genres *GenresService

	// The purchases of the key's account.
	Orders *OrdersService

	// Payments of one or more licenses, on a page of their own.
	Checkouts *CheckoutsService

	// What purchases would cost, with discounts.
	Quotes *QuotesService

	// What the key's account sold.
	Sales *SalesService

	// What licenses allow, and what was used of them.
	Licenses *LicensesService

	// Beats that the key's account keeps.
	Favorites *FavoritesService

	// Lists of beats: your own, and public ones.
	Playlists *PlaylistsService

	// Files that become beats.
	Uploads *UploadsService

	// What changes in the catalogue, in the order of commits.
	Changes *ChangesService

	// What webhooks deliver, for those without a public address.
	Events *EventsService

	// The request log of the key's account.
	Requests *RequestsService

	// All beats in one file.
	Exports *ExportsService
}

func newServices(c *Client) services {
	return services{
		Beats:     &BeatsService{c},
		Users:     &UsersService{c},
		Producers: &ProducersService{c},
		Genres:    &GenresService{c},
		Orders:    &OrdersService{c},
		Checkouts: &CheckoutsService{c},
		Quotes:    &QuotesService{c},
		Sales:     &SalesService{c},
		Licenses:  &LicensesService{c},
		Favorites: &FavoritesService{c},
		Playlists: &PlaylistsService{c},
		Uploads:   &UploadsService{c},
		Changes:   &ChangesService{c},
		Events:    &EventsService{c},
		Requests:  &RequestsService{c},
		Exports:   &ExportsService{c},
	}
}

// BeatsService: The beats on sale, and your own.
type BeatsService struct{ client *Client }

// UsersService: Public profiles, and your own.
type UsersService struct{ client *Client }

// ProducersService: Users who sell beats.
type ProducersService struct{ client *Client }

// GenresService: The genres of the catalogue.
type GenresService struct{ client *Client }

// OrdersService: The purchases of the key's account.
type OrdersService struct{ client *Client }

// CheckoutsService: Payments of one or more licenses, on a page of their own.
type CheckoutsService struct{ client *Client }

// QuotesService: What purchases would cost, with discounts.
type QuotesService struct{ client *Client }

// SalesService: What the key's account sold.
type SalesService struct{ client *Client }

// LicensesService: What licenses allow, and what was used of them.
type LicensesService struct{ client *Client }

// FavoritesService: Beats that the key's account keeps.
type FavoritesService struct{ client *Client }

// PlaylistsService: Lists of beats: your own, and public ones.
type PlaylistsService struct{ client *Client }

// UploadsService: Files that become beats.
type UploadsService struct{ client *Client }

// ChangesService: What changes in the catalogue, in the order of commits.
type ChangesService struct{ client *Client }

// EventsService: What webhooks deliver, for those without a public address.
type EventsService struct{ client *Client }

// RequestsService: The request log of the key's account.
type RequestsService struct{ client *Client }

// ExportsService: All beats in one file.
type ExportsService struct{ client *Client }

// ListBeatsExtra is what a page has beside its items.
type ListBeatsExtra struct {
	Model

	// With `facets`: beats by value.
	Facets *Facets `json:"facets"`

	// With `ids`: those that nobody has.
	Missing []int `json:"missing"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ListBeatsExtra) UnmarshalJSON(data []byte) error {
	m.raw = readFields(data, m)
	return nil
}

// ListBeatsPage is a page of: List beats.
type ListBeatsPage = Page[Beat, ListBeatsExtra]

// ListOwnBeatsExtra is what a page has beside its items.
type ListOwnBeatsExtra struct {
	Model
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ListOwnBeatsExtra) UnmarshalJSON(data []byte) error {
	m.raw = readFields(data, m)
	return nil
}

// ListOwnBeatsPage is a page of: List your beats.
type ListOwnBeatsPage = Page[BeatDetail, ListOwnBeatsExtra]

// ListProducersExtra is what a page has beside its items.
type ListProducersExtra struct {
	Model
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ListProducersExtra) UnmarshalJSON(data []byte) error {
	m.raw = readFields(data, m)
	return nil
}

// ListProducersPage is a page of: List producers.
type ListProducersPage = Page[Producer, ListProducersExtra]

// SearchItem is one of several kinds: the field of its kind is set.
type SearchItem struct {
	Beat *Beat

	Producer *Producer
}

// SearchExtra is what a page has beside its items.
type SearchExtra struct {
	Model

	Beats []Beat `json:"beats"`

	Producers []Producer `json:"producers"`

	// All results of each type.
	Totals *SearchTotals `json:"totals"`

	// What was understood of `q`, in the names of parameters; absent with `interpret=false`.
	Interpreted *Interpretation `json:"interpreted"`

	// With `facets`: beats by value.
	Facets *Facets `json:"facets"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *SearchExtra) UnmarshalJSON(data []byte) error {
	m.raw = readFields(data, m)
	return nil
}

// SearchPage is a page of: Search beats and producers.
type SearchPage = Page[SearchItem, SearchExtra]

// ListOrdersExtra is what a page has beside its items.
type ListOrdersExtra struct {
	Model
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ListOrdersExtra) UnmarshalJSON(data []byte) error {
	m.raw = readFields(data, m)
	return nil
}

// ListOrdersPage is a page of: List your orders.
type ListOrdersPage = Page[Order, ListOrdersExtra]

// ListSalesExtra is what a page has beside its items.
type ListSalesExtra struct {
	Model
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ListSalesExtra) UnmarshalJSON(data []byte) error {
	m.raw = readFields(data, m)
	return nil
}

// ListSalesPage is a page of: List your sales.
type ListSalesPage = Page[Sale, ListSalesExtra]

// ListFavoritesExtra is what a page has beside its items.
type ListFavoritesExtra struct {
	Model
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ListFavoritesExtra) UnmarshalJSON(data []byte) error {
	m.raw = readFields(data, m)
	return nil
}

// ListFavoritesPage is a page of: List your favorites.
type ListFavoritesPage = Page[Beat, ListFavoritesExtra]

// ListFollowingExtra is what a page has beside its items.
type ListFollowingExtra struct {
	Model
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ListFollowingExtra) UnmarshalJSON(data []byte) error {
	m.raw = readFields(data, m)
	return nil
}

// ListFollowingPage is a page of: List the producers whom you follow.
type ListFollowingPage = Page[User, ListFollowingExtra]

// ListPlaylistsExtra is what a page has beside its items.
type ListPlaylistsExtra struct {
	Model
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ListPlaylistsExtra) UnmarshalJSON(data []byte) error {
	m.raw = readFields(data, m)
	return nil
}

// ListPlaylistsPage is a page of: List your playlists.
type ListPlaylistsPage = Page[Playlist, ListPlaylistsExtra]

// ListUploadsExtra is what a page has beside its items.
type ListUploadsExtra struct {
	Model

	// How much of the storage the account's files take, and may take.
	Storage *StorageUse `json:"storage"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ListUploadsExtra) UnmarshalJSON(data []byte) error {
	m.raw = readFields(data, m)
	return nil
}

// ListUploadsPage is a page of: List your uploads.
type ListUploadsPage = Page[Upload, ListUploadsExtra]

// ChangePage is a part of a feed.
type ChangePage struct {
	Model

	Changes []Change `json:"changes"`

	// Next is the position to go on from.
	Next int `json:"next"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ChangePage) UnmarshalJSON(data []byte) error {
	m.raw = readFields(data, m)
	return nil
}

// EventPage is a part of a feed.
type EventPage struct {
	Model

	Events []Event `json:"events"`

	// Next is the position to go on from.
	Next int `json:"next"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *EventPage) UnmarshalJSON(data []byte) error {
	m.raw = readFields(data, m)
	return nil
}

// List: The beats on sale that pass every filter, one page at a time. Or beats by their `ids`. Permission:
// beats:read. List returns the first page; ListAll iterates over the items of all pages.
func (s *BeatsService) List(ctx context.Context, params ListBeatsParams, options ...CallOption) (*ListBeatsPage, error) {
	return pagesOf[Beat, ListBeatsExtra](s.client, opListBeats, given{params: params}, options).first(ctx)
}

// ListAll iterates over the items of all pages, with one request for each. A loop that continues after an
// error asks for the failed page again, at most three times: no item is lost or repeated.
func (s *BeatsService) ListAll(ctx context.Context, params ListBeatsParams, options ...CallOption) iter.Seq2[Beat, error] {
	return pagesOf[Beat, ListBeatsExtra](s.client, opListBeats, given{params: params}, options).all(ctx)
}

// Create: Makes a beat of an upload: a draft that only you see, or with `status` `published` one that is on
// sale as soon as its files are processed. A repeated request with the same `Idempotency-Key` makes one beat.
// Permission: beats:write.
func (s *BeatsService) Create(ctx context.Context, fields BeatFields, options ...CallOption) (*BeatDetail, error) {
	return call[*BeatDetail](ctx, s.client, opCreateBeat, given{body: fields}, options)
}

// Get: A beat with its description, tags and licenses. A beat whose exclusive license is sold still opens.
// One of your own opens in every state, with its `status`. Permission: beats:read.
func (s *BeatsService) Get(ctx context.Context, beatID int, options ...CallOption) (*BeatDetail, error) {
	return call[*BeatDetail](ctx, s.client, opGetBeat, given{ids: []any{beatID}}, options)
}

// Update: Changes one of your beats, on sale or not. A field that is left out stays as it is; null clears it.
// New files replace the old ones once they are processed. With `If-Match`, only if it has not changed since.
// Permission: beats:write.
func (s *BeatsService) Update(ctx context.Context, beatID int, fields BeatChanges, options ...CallOption) (*BeatDetail, error) {
	return call[*BeatDetail](ctx, s.client, opUpdateBeat, given{ids: []any{beatID}, body: fields}, options)
}

// Withdraw: Takes one of your beats off sale and returns it as it was left. Those who bought a license keep
// it, and `updateBeat` with `status` `published` puts it on sale again. A beat that was never on sale is
// deleted. Permission: beats:write.
func (s *BeatsService) Withdraw(ctx context.Context, beatID int, options ...CallOption) (*BeatDetail, error) {
	return call[*BeatDetail](ctx, s.client, opWithdrawBeat, given{ids: []any{beatID}}, options)
}

// Similar: The beats most like the given one, best first, by genre, tempo (octaves folded), key on the circle
// of fifths, and lesser factors. `similarity` explains each choice. Permission: beats:read.
func (s *BeatsService) Similar(ctx context.Context, beatID int, params ListSimilarBeatsParams, options ...CallOption) ([]SimilarBeat, error) {
	return call[[]SimilarBeat](ctx, s.client, opListSimilarBeats, given{ids: []any{beatID}, params: params}, options)
}

// MyBeats: The beats of the key's account in every state, drafts included, newest first, one page at a time.
// Permission: beats:write. MyBeats returns the first page; MyBeatsAll iterates over the items of all pages.
func (s *UsersService) MyBeats(ctx context.Context, params ListOwnBeatsParams, options ...CallOption) (*ListOwnBeatsPage, error) {
	return pagesOf[BeatDetail, ListOwnBeatsExtra](s.client, opListOwnBeats, given{params: params}, options).first(ctx)
}

// MyBeatsAll iterates over the items of all pages, with one request for each. A loop that continues after an
// error asks for the failed page again, at most three times: no item is lost or repeated.
func (s *UsersService) MyBeatsAll(ctx context.Context, params ListOwnBeatsParams, options ...CallOption) iter.Seq2[BeatDetail, error] {
	return pagesOf[BeatDetail, ListOwnBeatsExtra](s.client, opListOwnBeats, given{params: params}, options).all(ctx)
}

// Get: The public profile of a user, producer or not. It never holds the e-mail address. Permission:
// users:read.
func (s *UsersService) Get(ctx context.Context, userID int, options ...CallOption) (*User, error) {
	return call[*User](ctx, s.client, opGetUser, given{ids: []any{userID}}, options)
}

// UpdateProfile: Changes the public profile of the key's account and returns it. A field that is left out
// stays as it is; null clears it. Permission: profile:write.
func (s *UsersService) UpdateProfile(ctx context.Context, fields ProfileFields, options ...CallOption) (*User, error) {
	return call[*User](ctx, s.client, opUpdateProfile, given{body: fields}, options)
}

// List: Every producer with their genres and plays, one page at a time. Permission: producers:read. List
// returns the first page; ListAll iterates over the items of all pages.
func (s *ProducersService) List(ctx context.Context, params ListProducersParams, options ...CallOption) (*ListProducersPage, error) {
	return pagesOf[Producer, ListProducersExtra](s.client, opListProducers, given{params: params}, options).first(ctx)
}

// ListAll iterates over the items of all pages, with one request for each. A loop that continues after an
// error asks for the failed page again, at most three times: no item is lost or repeated.
func (s *ProducersService) ListAll(ctx context.Context, params ListProducersParams, options ...CallOption) iter.Seq2[Producer, error] {
	return pagesOf[Producer, ListProducersExtra](s.client, opListProducers, given{params: params}, options).all(ctx)
}

// List: All genres by name, with the number of beats on sale in each. Permission: genres:read.
func (s *GenresService) List(ctx context.Context, options ...CallOption) ([]Genre, error) {
	return call[[]Genre](ctx, s.client, opListGenres, given{}, options)
}

// Search: Beats and producers, best first, up to `limit` of each. Tempos, keys and prices in the text become
// filters; `interpreted` tells which. Totals are exact; `last_page` is that of the longer list. Permission:
// search:read. Search returns the first page; SearchAll iterates over the items of all pages.
func (c *Client) Search(ctx context.Context, q string, params SearchParams, options ...CallOption) (*SearchPage, error) {
	return pagesOf[SearchItem, SearchExtra](c, opSearch, given{required: []string{"q", q}, params: params}, options).first(ctx)
}

// SearchAll iterates over the items of all pages, with one request for each. A loop that continues after an
// error asks for the failed page again, at most three times: no item is lost or repeated.
func (c *Client) SearchAll(ctx context.Context, q string, params SearchParams, options ...CallOption) iter.Seq2[SearchItem, error] {
	return pagesOf[SearchItem, SearchExtra](c, opSearch, given{required: []string{"q", q}, params: params}, options).all(ctx)
}

// List: The orders of the key's account, newest first, one page at a time. Permission: orders:read. List
// returns the first page; ListAll iterates over the items of all pages.
func (s *OrdersService) List(ctx context.Context, params ListOrdersParams, options ...CallOption) (*ListOrdersPage, error) {
	return pagesOf[Order, ListOrdersExtra](s.client, opListOrders, given{params: params}, options).first(ctx)
}

// ListAll iterates over the items of all pages, with one request for each. A loop that continues after an
// error asks for the failed page again, at most three times: no item is lost or repeated.
func (s *OrdersService) ListAll(ctx context.Context, params ListOrdersParams, options ...CallOption) iter.Seq2[Order, error] {
	return pagesOf[Order, ListOrdersExtra](s.client, opListOrders, given{params: params}, options).all(ctx)
}

// Create: Buys a license of a beat and returns the order. With `expected_amount` and `currency`, only at the
// price that the buyer agreed to. A declined payment is an order too: `failed`, with its `failure_reason`. A
// repeated request with the same `Idempotency-Key` never buys twice. Permission: orders:write.
func (s *OrdersService) Create(ctx context.Context, fields OrderRequest, options ...CallOption) (*Order, error) {
	return call[*Order](ctx, s.client, opCreateOrder, given{body: fields}, options)
}

// Get: An order of the key's account. Everybody else's do not exist here. Permission: orders:read.
func (s *OrdersService) Get(ctx context.Context, orderID int, options ...CallOption) (*Order, error) {
	return call[*Order](ctx, s.client, opGetOrder, given{ids: []any{orderID}}, options)
}

// Create: Opens one payment of one or more licenses and returns its page, on which a person pays. All or
// nothing: if one of the licenses cannot be had, nothing is held or charged, and the error names it. The
// orders come into being with the payment. Permission: orders:write.
func (s *CheckoutsService) Create(ctx context.Context, fields CheckoutRequest, options ...CallOption) (*Checkout, error) {
	return call[*Checkout](ctx, s.client, opCreateCheckout, given{body: fields}, options)
}

// Get: A checkout of the key's account, with its orders once it is paid. Everybody else's do not exist here.
// Permission: orders:write.
func (s *CheckoutsService) Get(ctx context.Context, checkoutID int, options ...CallOption) (*Checkout, error) {
	return call[*Checkout](ctx, s.client, opGetCheckout, given{ids: []any{checkoutID}}, options)
}

// Create: What a checkout of the items charges, with discounts, and every discount that was tried with why it
// applied or not. Nothing is held, charged or stored. Permission: orders:write.
func (s *QuotesService) Create(ctx context.Context, fields QuoteRequest, options ...CallOption) (*Quote, error) {
	return call[*Quote](ctx, s.client, opCreateQuote, given{body: fields}, options)
}

// List: The completed orders of the beats that the key's account sold, newest first, one page at a time.
// Sales of imported producers whom the account has claimed are among them. Permission: sales:read. List
// returns the first page; ListAll iterates over the items of all pages.
func (s *SalesService) List(ctx context.Context, params ListSalesParams, options ...CallOption) (*ListSalesPage, error) {
	return pagesOf[Sale, ListSalesExtra](s.client, opListSales, given{params: params}, options).first(ctx)
}

// ListAll iterates over the items of all pages, with one request for each. A loop that continues after an
// error asks for the failed page again, at most three times: no item is lost or repeated.
func (s *SalesService) ListAll(ctx context.Context, params ListSalesParams, options ...CallOption) iter.Seq2[Sale, error] {
	return pagesOf[Sale, ListSalesExtra](s.client, opListSales, given{params: params}, options).all(ctx)
}

// Files: What a completed order brings, as it was when it was bought: files under signed links that live for
// 15 minutes, and the license. Ask again for new links. Files that are still being made are waited for, for
// up to ten seconds; then the response is 503 with `Retry-After`. Permission: orders:read.
func (s *OrdersService) Files(ctx context.Context, orderID int, options ...CallOption) (*OrderFiles, error) {
	return call[*OrderFiles](ctx, s.client, opListOrderFiles, given{ids: []any{orderID}}, options)
}

// May: Answers `yes`, `no` or `unknown` from the terms that the license was sold under, with the clause that
// decides and what to buy for a yes. The id of a certificate is all that it takes. No API key is needed.
func (s *LicensesService) May(ctx context.Context, licenseID string, fields LicenseQuestion, options ...CallOption) (*LicenseVerdict, error) {
	return call[*LicenseVerdict](ctx, s.client, opAskLicense, given{ids: []any{licenseID}, body: fields}, options)
}

// Usage: The reports of a license of the key's account, and their sums with the limits of the license.
// Permission: orders:read.
func (s *LicensesService) Usage(ctx context.Context, licenseID string, options ...CallOption) (*LicenseUsage, error) {
	return call[*LicenseUsage](ctx, s.client, opListLicenseUsage, given{ids: []any{licenseID}}, options)
}

// ReportUsage: Stores how many streams, copies or videos a source counted in a month. The same use, period
// and source again replaces the quantity, so that a report can be repeated and corrected. Returns the report
// and the sums. At 80 and 100 percent of a limit the holder gets the event `license.usage` and a mail.
// Permission: orders:write.
func (s *LicensesService) ReportUsage(ctx context.Context, licenseID string, fields UsageReportRequest, options ...CallOption) (*LicenseUsage, error) {
	return call[*LicenseUsage](ctx, s.client, opReportLicenseUsage, given{ids: []any{licenseID}, body: fields}, options)
}

// Upgrade: Buys a higher license for the difference: its price of today, less what was paid for the present
// license and those before it. The same type renews a license from 90 days before its last day, at its price
// of today. Returns the order, whose license replaces the present one as soon as it is completed. With
// `expected_amount` and `currency`, only at the amount that the buyer agreed to. A declined payment is an
// order too. A repeated request with the same `Idempotency-Key` never buys twice. Permission: orders:write.
func (s *LicensesService) Upgrade(ctx context.Context, licenseID string, fields UpgradeRequest, options ...CallOption) (*Order, error) {
	return call[*Order](ctx, s.client, opUpgradeLicense, given{ids: []any{licenseID}, body: fields}, options)
}

// List: The account's favorite beats that are on sale, the newest favorite first, one page at a time.
// Permission: users:read. List returns the first page; ListAll iterates over the items of all pages.
func (s *FavoritesService) List(ctx context.Context, params ListFavoritesParams, options ...CallOption) (*ListFavoritesPage, error) {
	return pagesOf[Beat, ListFavoritesExtra](s.client, opListFavorites, given{params: params}, options).first(ctx)
}

// ListAll iterates over the items of all pages, with one request for each. A loop that continues after an
// error asks for the failed page again, at most three times: no item is lost or repeated.
func (s *FavoritesService) ListAll(ctx context.Context, params ListFavoritesParams, options ...CallOption) iter.Seq2[Beat, error] {
	return pagesOf[Beat, ListFavoritesExtra](s.client, opListFavorites, given{params: params}, options).all(ctx)
}

// Add: Adds a beat that is on sale. One that is there already keeps its time. Permission: profile:write.
func (s *FavoritesService) Add(ctx context.Context, beatID int, options ...CallOption) (*Favorite, error) {
	return call[*Favorite](ctx, s.client, opAddFavorite, given{ids: []any{beatID}}, options)
}

// Remove: Removes a beat; one that is no favorite is left so. Permission: profile:write.
func (s *FavoritesService) Remove(ctx context.Context, beatID int, options ...CallOption) (*Favorite, error) {
	return call[*Favorite](ctx, s.client, opRemoveFavorite, given{ids: []any{beatID}}, options)
}

// Following: The profiles of the producers whom the account follows, the newest first, one page at a time.
// Permission: users:read. Following returns the first page; FollowingAll iterates over the items of all
// pages.
func (s *UsersService) Following(ctx context.Context, params ListFollowingParams, options ...CallOption) (*ListFollowingPage, error) {
	return pagesOf[User, ListFollowingExtra](s.client, opListFollowing, given{params: params}, options).first(ctx)
}

// FollowingAll iterates over the items of all pages, with one request for each. A loop that continues after an
// error asks for the failed page again, at most three times: no item is lost or repeated.
func (s *UsersService) FollowingAll(ctx context.Context, params ListFollowingParams, options ...CallOption) iter.Seq2[User, error] {
	return pagesOf[User, ListFollowingExtra](s.client, opListFollowing, given{params: params}, options).all(ctx)
}

// Follow: Follows a producer. One whom the account follows already keeps the time. Permission: profile:write.
func (s *UsersService) Follow(ctx context.Context, userID int, options ...CallOption) (*Follow, error) {
	return call[*Follow](ctx, s.client, opFollowUser, given{ids: []any{userID}}, options)
}

// Unfollow: Ends that the account follows a producer. One whom it does not follow is left so. Permission:
// profile:write.
func (s *UsersService) Unfollow(ctx context.Context, userID int, options ...CallOption) (*Follow, error) {
	return call[*Follow](ctx, s.client, opUnfollowUser, given{ids: []any{userID}}, options)
}

// List: The account's playlists, the newest first, one page at a time. Permission: users:read. List returns
// the first page; ListAll iterates over the items of all pages.
func (s *PlaylistsService) List(ctx context.Context, params ListPlaylistsParams, options ...CallOption) (*ListPlaylistsPage, error) {
	return pagesOf[Playlist, ListPlaylistsExtra](s.client, opListPlaylists, given{params: params}, options).first(ctx)
}

// ListAll iterates over the items of all pages, with one request for each. A loop that continues after an
// error asks for the failed page again, at most three times: no item is lost or repeated.
func (s *PlaylistsService) ListAll(ctx context.Context, params ListPlaylistsParams, options ...CallOption) iter.Seq2[Playlist, error] {
	return pagesOf[Playlist, ListPlaylistsExtra](s.client, opListPlaylists, given{params: params}, options).all(ctx)
}

// Create: Makes a playlist, private unless it says otherwise. A repeated request with the same
// `Idempotency-Key` makes one. Permission: profile:write.
func (s *PlaylistsService) Create(ctx context.Context, fields PlaylistFields, options ...CallOption) (*PlaylistDetail, error) {
	return call[*PlaylistDetail](ctx, s.client, opCreatePlaylist, given{body: fields}, options)
}

// Get: One of the account's playlists, or a public one of anybody's, with its beats in order. A beat that is
// not on sale is left out. Permission: users:read.
func (s *PlaylistsService) Get(ctx context.Context, playlistID string, options ...CallOption) (*PlaylistDetail, error) {
	return call[*PlaylistDetail](ctx, s.client, opGetPlaylist, given{ids: []any{playlistID}}, options)
}

// Update: Changes what the body names. `beat_ids` is the new order of all its beats. Permission:
// profile:write.
func (s *PlaylistsService) Update(ctx context.Context, playlistID string, fields PlaylistChanges, options ...CallOption) (*PlaylistDetail, error) {
	return call[*PlaylistDetail](ctx, s.client, opUpdatePlaylist, given{ids: []any{playlistID}, body: fields}, options)
}

// Delete: Deletes the playlist, and returns it as it was. Its beats stay. Permission: profile:write.
func (s *PlaylistsService) Delete(ctx context.Context, playlistID string, options ...CallOption) (*PlaylistDetail, error) {
	return call[*PlaylistDetail](ctx, s.client, opDeletePlaylist, given{ids: []any{playlistID}}, options)
}

// AddBeat: Puts a beat at the end. One that is in the playlist keeps its place. Permission: profile:write.
func (s *PlaylistsService) AddBeat(ctx context.Context, playlistID string, beatID int, options ...CallOption) (*PlaylistDetail, error) {
	return call[*PlaylistDetail](ctx, s.client, opAddPlaylistBeat, given{ids: []any{playlistID, beatID}}, options)
}

// RemoveBeat: Takes a beat out. One that is not in the playlist is left so. Permission: profile:write.
func (s *PlaylistsService) RemoveBeat(ctx context.Context, playlistID string, beatID int, options ...CallOption) (*PlaylistDetail, error) {
	return call[*PlaylistDetail](ctx, s.client, opRemovePlaylistBeat, given{ids: []any{playlistID, beatID}}, options)
}

// List: The uploads of the key's account, newest first, one page at a time, and how much of the storage its
// files take. Permission: beats:write. List returns the first page; ListAll iterates over the items of all
// pages.
func (s *UploadsService) List(ctx context.Context, params ListUploadsParams, options ...CallOption) (*ListUploadsPage, error) {
	return pagesOf[Upload, ListUploadsExtra](s.client, opListUploads, given{params: params}, options).first(ctx)
}

// ListAll iterates over the items of all pages, with one request for each. A loop that continues after an
// error asks for the failed page again, at most three times: no item is lost or repeated.
func (s *UploadsService) ListAll(ctx context.Context, params ListUploadsParams, options ...CallOption) iter.Seq2[Upload, error] {
	return pagesOf[Upload, ListUploadsExtra](s.client, opListUploads, given{params: params}, options).all(ctx)
}

// Delete: Ends an upload, whatever its state, unless a beat uses it. Permission: beats:write.
func (s *UploadsService) Delete(ctx context.Context, uploadID string, options ...CallOption) error {
	_, err := call[Model](ctx, s.client, opDeleteUpload, given{ids: []any{uploadID}}, options)
	return err
}

// Get: What became of a file: how much of it has arrived, and once it is analysed what was heard in it, or
// why it was rejected. Everybody else's uploads do not exist here. Permission: beats:write.
func (s *UploadsService) Get(ctx context.Context, uploadID string, options ...CallOption) (*Upload, error) {
	return call[*Upload](ctx, s.client, opGetUpload, given{ids: []any{uploadID}}, options)
}

// Retry: Analyses a file again that was rejected for a reason of our own. An upload that was not rejected is
// answered as it is. Permission: beats:write.
func (s *UploadsService) Retry(ctx context.Context, uploadID string, options ...CallOption) (*Upload, error) {
	return call[*Upload](ctx, s.client, opRetryUpload, given{ids: []any{uploadID}}, options)
}

// List: Every change of a listed beat, in the order of commits, none skipped or doubled: what keeps a copy of
// the catalogue true. Begin with an export, then pass `next` as `after`; with `wait`, the response comes as
// soon as something changes. A change is kept for 30 days. Permission: beats:read.
func (s *ChangesService) List(ctx context.Context, params ListChangesParams, options ...CallOption) (*ChangePage, error) {
	return call[*ChangePage](ctx, s.client, opListChanges, given{params: params}, options)
}

// List: The events of the last 30 days that a webhook endpoint of the account would receive, with the same
// bodies, in the order of commits, none skipped or doubled: for those without a public address. Pass `next`
// as `after` of the next call; with `wait`, the response comes as soon as there is an event. Permission:
// events:read.
func (s *EventsService) List(ctx context.Context, params ListEventsParams, options ...CallOption) (*EventPage, error) {
	return call[*EventPage](ctx, s.client, opListEvents, given{params: params}, options)
}

// Get: One of the account's events of the last 30 days, with the body that webhooks carry. Permission:
// events:read.
func (s *EventsService) Get(ctx context.Context, eventID string, options ...CallOption) (*Event, error) {
	return call[*Event](ctx, s.client, opGetEvent, given{ids: []any{eventID}}, options)
}

// List: The requests of the last 30 days that were made with keys of the account, newest first. A request is
// in the log a moment after its response. A response searches a bounded part of the log, so it may have fewer
// requests than `limit` and still a `next`: pass it as `after` of the next call. Permission: requests:read.
func (s *RequestsService) List(ctx context.Context, params ListRequestsParams, options ...CallOption) (*RequestPage, error) {
	return call[*RequestPage](ctx, s.client, opListRequests, given{params: params}, options)
}

// Get: A request of the last 30 days by the `X-Request-Id` of its response: what was sent, without secrets,
// why it was refused, and the events that it caused. Permission: requests:read.
func (s *RequestsService) Get(ctx context.Context, requestID string, options ...CallOption) (*LoggedRequestDetail, error) {
	return call[*LoggedRequestDetail](ctx, s.client, opGetRequest, given{ids: []any{requestID}}, options)
}

var opListBeats = operation{"GET", "/beats", "pages", []string{"beats"}}

var opCreateBeat = operation{"POST", "/beats", "object", []string{"beat"}}

var opGetBeat = operation{"GET", "/beats/{beat_id}", "object", []string{"beat"}}

var opUpdateBeat = operation{"PATCH", "/beats/{beat_id}", "object", []string{"beat"}}

var opWithdrawBeat = operation{"DELETE", "/beats/{beat_id}", "object", []string{"beat"}}

var opListSimilarBeats = operation{"GET", "/beats/{beat_id}/similar", "array", []string{"beats"}}

var opListOwnBeats = operation{"GET", "/users/me/beats", "pages", []string{"beats"}}

var opGetUser = operation{"GET", "/users/{user_id}", "object", []string{"user"}}

var opUpdateProfile = operation{"PUT", "/users/profile", "object", []string{"user"}}

var opListProducers = operation{"GET", "/producers", "pages", []string{"producers"}}

var opListGenres = operation{"GET", "/genres", "array", []string{"genres"}}

var opSearch = operation{"GET", "/search", "pages", []string{"beats", "producers"}}

var opListOrders = operation{"GET", "/orders", "pages", []string{"orders"}}

var opCreateOrder = operation{"POST", "/orders", "object", []string{"order"}}

var opGetOrder = operation{"GET", "/orders/{order_id}", "object", []string{"order"}}

var opCreateCheckout = operation{"POST", "/checkouts", "object", []string{"checkout"}}

var opGetCheckout = operation{"GET", "/checkouts/{checkout_id}", "object", []string{"checkout"}}

var opCreateQuote = operation{"POST", "/quotes", "object", []string{"quote"}}

var opListSales = operation{"GET", "/users/me/sales", "pages", []string{"sales"}}

var opExportSales = operation{"GET", "/users/me/sales.csv", "none", nil}

var opListOrderFiles = operation{"GET", "/orders/{order_id}/files", "data", nil}

var opDownloadOrderArchive = operation{"GET", "/orders/{order_id}/archive", "none", nil}

var opAskLicense = operation{"POST", "/licenses/{license_id}/may", "object", []string{"verdict"}}

var opListLicenseUsage = operation{"GET", "/licenses/{license_id}/usage", "object", []string{"usage"}}

var opReportLicenseUsage = operation{"POST", "/licenses/{license_id}/usage", "object", []string{"usage"}}

var opUpgradeLicense = operation{"POST", "/licenses/{license_id}/upgrade", "object", []string{"order"}}

var opListFavorites = operation{"GET", "/users/me/favorites", "pages", []string{"beats"}}

var opAddFavorite = operation{"PUT", "/users/me/favorites/{beat_id}", "object", []string{"favorite"}}

var opRemoveFavorite = operation{"DELETE", "/users/me/favorites/{beat_id}", "object", []string{"favorite"}}

var opListFollowing = operation{"GET", "/users/me/following", "pages", []string{"users"}}

var opFollowUser = operation{"PUT", "/users/me/following/{user_id}", "object", []string{"follow"}}

var opUnfollowUser = operation{"DELETE", "/users/me/following/{user_id}", "object", []string{"follow"}}

var opListPlaylists = operation{"GET", "/playlists", "pages", []string{"playlists"}}

var opCreatePlaylist = operation{"POST", "/playlists", "object", []string{"playlist"}}

var opGetPlaylist = operation{"GET", "/playlists/{playlist_id}", "object", []string{"playlist"}}

var opUpdatePlaylist = operation{"PATCH", "/playlists/{playlist_id}", "object", []string{"playlist"}}

var opDeletePlaylist = operation{"DELETE", "/playlists/{playlist_id}", "object", []string{"playlist"}}

var opAddPlaylistBeat = operation{"PUT", "/playlists/{playlist_id}/beats/{beat_id}", "object", []string{"playlist"}}

var opRemovePlaylistBeat = operation{"DELETE", "/playlists/{playlist_id}/beats/{beat_id}", "object", []string{"playlist"}}

var opListUploads = operation{"GET", "/uploads", "pages", []string{"uploads"}}

var opDeleteUpload = operation{"DELETE", "/uploads/{upload_id}", "none", nil}

var opGetUpload = operation{"GET", "/uploads/{upload_id}", "object", []string{"upload"}}

var opRetryUpload = operation{"POST", "/uploads/{upload_id}/retry", "object", []string{"upload"}}

var opListChanges = operation{"GET", "/changes", "data", []string{"changes"}}

var opListEvents = operation{"GET", "/events", "data", []string{"events"}}

var opGetEvent = operation{"GET", "/events/{event_id}", "object", []string{"event"}}

var opListRequests = operation{"GET", "/requests", "data", nil}

var opGetRequest = operation{"GET", "/requests/{request_id}", "object", []string{"request"}}

var opExportBeats = operation{"GET", "/exports/beats.ndjson.gz", "none", nil}

// errorNames has the error of each code of the API.
var errorNames = map[string]string{
	"invalid_request":     "InvalidRequestError",
	"unauthorized":        "AuthenticationError",
	"forbidden":           "PermissionDeniedError",
	"not_found":           "NotFoundError",
	"rate_limit_exceeded": "RateLimitError",
	"server_error":        "ServerError",
}

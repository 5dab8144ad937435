// Code generated from contract/openapi.json by npm run contract. DO NOT EDIT.

package beatmarket

import (
	"context"
	"iter"
	"time"
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

	// Payments of one or more licenses, on a page of the service.
	Checkouts *CheckoutsService

	// What purchases would cost, with discounts.
	Quotes *QuotesService

	// What the key's account sold.
	Sales *SalesService

	// What licenses allow, and reports of their use.
	Licenses *LicensesService

	// The favorite beats of the key's account.
	Favorites *FavoritesService

	// Lists of beats: your own, and public ones.
	Playlists *PlaylistsService

	// Files that become beats.
	Uploads *UploadsService

	// What changes in the catalogue, in the order of commits.
	Changes *ChangesService

	// The events that webhooks deliver, for programs without a public address.
	Events *EventsService

	// The request log of the key's account.
	Requests *RequestsService

	// All beats in one file.
	Exports *ExportsService

	// Services of your own whose time you set.
	Sandboxes *SandboxesService
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
		Sandboxes: &SandboxesService{c},
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

// CheckoutsService: Payments of one or more licenses, on a page of the service.
type CheckoutsService struct{ client *Client }

// QuotesService: What purchases would cost, with discounts.
type QuotesService struct{ client *Client }

// SalesService: What the key's account sold.
type SalesService struct{ client *Client }

// LicensesService: What licenses allow, and reports of their use.
type LicensesService struct{ client *Client }

// FavoritesService: The favorite beats of the key's account.
type FavoritesService struct{ client *Client }

// PlaylistsService: Lists of beats: your own, and public ones.
type PlaylistsService struct{ client *Client }

// UploadsService: Files that become beats.
type UploadsService struct{ client *Client }

// ChangesService: What changes in the catalogue, in the order of commits.
type ChangesService struct{ client *Client }

// EventsService: The events that webhooks deliver, for programs without a public address.
type EventsService struct{ client *Client }

// RequestsService: The request log of the key's account.
type RequestsService struct{ client *Client }

// ExportsService: All beats in one file.
type ExportsService struct{ client *Client }

// SandboxesService: Services of your own whose time you set.
type SandboxesService struct{ client *Client }

// ListBeatsExtra is what a page has in addition to its items.
type ListBeatsExtra struct {
	Model

	// The numbers of beats by value. Only with `facets`.
	Facets *Facets `json:"facets"`

	// With `ids`: the ids without a public beat.
	Missing []int `json:"missing"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ListBeatsExtra) UnmarshalJSON(data []byte) error {
	type fields ListBeatsExtra
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// ListBeatsPage is a page of: List beats.
type ListBeatsPage = Page[Beat, ListBeatsExtra]

// ListOwnBeatsExtra is what a page has in addition to its items.
type ListOwnBeatsExtra struct {
	Model
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ListOwnBeatsExtra) UnmarshalJSON(data []byte) error {
	type fields ListOwnBeatsExtra
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// ListOwnBeatsPage is a page of: List your beats.
type ListOwnBeatsPage = Page[BeatDetail, ListOwnBeatsExtra]

// ListProducersExtra is what a page has in addition to its items.
type ListProducersExtra struct {
	Model
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ListProducersExtra) UnmarshalJSON(data []byte) error {
	type fields ListProducersExtra
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// ListProducersPage is a page of: List producers.
type ListProducersPage = Page[Producer, ListProducersExtra]

// SearchItem is one of several kinds: the field of its kind is set.
type SearchItem struct {
	Beat *Beat

	Producer *Producer
}

// SearchExtra is what a page has in addition to its items.
type SearchExtra struct {
	Model

	Beats []Beat `json:"beats"`

	Producers []Producer `json:"producers"`

	// The number of results of each type.
	Totals *SearchTotals `json:"totals"`

	// How the service read `q`: the words that it searched, and the filters that it recognised, named like the
	// parameters. Absent with `interpret=false`.
	Interpreted *Interpretation `json:"interpreted"`

	// The numbers of beats by value. Only with `facets`.
	Facets *Facets `json:"facets"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *SearchExtra) UnmarshalJSON(data []byte) error {
	type fields SearchExtra
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// SearchPage is a page of: Search beats and producers.
type SearchPage = Page[SearchItem, SearchExtra]

// ListOrdersExtra is what a page has in addition to its items.
type ListOrdersExtra struct {
	Model
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ListOrdersExtra) UnmarshalJSON(data []byte) error {
	type fields ListOrdersExtra
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// ListOrdersPage is a page of: List your orders.
type ListOrdersPage = Page[Order, ListOrdersExtra]

// ListSalesExtra is what a page has in addition to its items.
type ListSalesExtra struct {
	Model
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ListSalesExtra) UnmarshalJSON(data []byte) error {
	type fields ListSalesExtra
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// ListSalesPage is a page of: List your sales.
type ListSalesPage = Page[Sale, ListSalesExtra]

// ListFavoritesExtra is what a page has in addition to its items.
type ListFavoritesExtra struct {
	Model
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ListFavoritesExtra) UnmarshalJSON(data []byte) error {
	type fields ListFavoritesExtra
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// ListFavoritesPage is a page of: List your favorites.
type ListFavoritesPage = Page[Beat, ListFavoritesExtra]

// ListFollowingExtra is what a page has in addition to its items.
type ListFollowingExtra struct {
	Model
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ListFollowingExtra) UnmarshalJSON(data []byte) error {
	type fields ListFollowingExtra
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// ListFollowingPage is a page of: List the producers whom you follow.
type ListFollowingPage = Page[User, ListFollowingExtra]

// ListPlaylistsExtra is what a page has in addition to its items.
type ListPlaylistsExtra struct {
	Model
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ListPlaylistsExtra) UnmarshalJSON(data []byte) error {
	type fields ListPlaylistsExtra
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// ListPlaylistsPage is a page of: List your playlists.
type ListPlaylistsPage = Page[Playlist, ListPlaylistsExtra]

// ListUploadsExtra is what a page has in addition to its items.
type ListUploadsExtra struct {
	Model

	// The storage that the account's files use, and the limit.
	Storage *StorageUse `json:"storage"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ListUploadsExtra) UnmarshalJSON(data []byte) error {
	type fields ListUploadsExtra
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// ListUploadsPage is a page of: List your uploads.
type ListUploadsPage = Page[Upload, ListUploadsExtra]

// ChangePage is a part of a feed.
type ChangePage struct {
	Model

	Changes []Change `json:"changes"`

	// Next is the position to continue from.
	Next int `json:"next"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *ChangePage) UnmarshalJSON(data []byte) error {
	type fields ChangePage
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// EventPage is a part of a feed.
type EventPage struct {
	Model

	Events []Event `json:"events"`

	// Next is the position to continue from.
	Next int `json:"next"`
}

// UnmarshalJSON reads what is as documented and keeps everything in RawJSON. It never fails.
func (m *EventPage) UnmarshalJSON(data []byte) error {
	type fields EventPage
	m.raw = readFields(data, (*fields)(m))
	return nil
}

// List: Returns the beats on sale that match every filter, one page at a time; or beats by their `ids`.
// Permission: beats:read. List returns the first page; ListAll iterates over the items of all pages.
func (s *BeatsService) List(ctx context.Context, params ListBeatsParams, options ...CallOption) (*ListBeatsPage, error) {
	return pagesOf[Beat, ListBeatsExtra](s.client, opListBeats, given{params: params}, options).first(ctx)
}

// ListAll iterates over the items of all pages, with one request for each. A loop that continues after an
// error requests the failed page again, at most twice: no item is lost or repeated.
func (s *BeatsService) ListAll(ctx context.Context, params ListBeatsParams, options ...CallOption) iter.Seq2[Beat, error] {
	return pagesOf[Beat, ListBeatsExtra](s.client, opListBeats, given{params: params}, options).all(ctx)
}

// Create: Creates a beat from an upload. The beat is a draft that only you see; with `status` `published`, it
// goes on sale as soon as its files are processed. A repeated request with the same `Idempotency-Key` creates
// one beat. Permission: beats:write.
func (s *BeatsService) Create(ctx context.Context, fields BeatFields, options ...CallOption) (*BeatDetail, error) {
	return call[*BeatDetail](ctx, s.client, opCreateBeat, given{body: fields}, options)
}

// Get: Returns a beat with its description, tags and licenses. It also returns a beat whose exclusive license
// is sold, and your own beats in every state, with their `status`. Permission: beats:read.
func (s *BeatsService) Get(ctx context.Context, beatID int, options ...CallOption) (*BeatDetail, error) {
	return call[*BeatDetail](ctx, s.client, opGetBeat, given{ids: []any{beatID}}, options)
}

// Update: Changes one of your beats, on sale or not. An omitted field stays as it is; null clears it. New
// files replace the old ones once they are processed. With `If-Match`, the beat changes only if it has not
// changed since. A repeated request with the same `Idempotency-Key` gets the first response. Permission:
// beats:write.
func (s *BeatsService) Update(ctx context.Context, beatID int, fields BeatChanges, options ...CallOption) (*BeatDetail, error) {
	return call[*BeatDetail](ctx, s.client, opUpdateBeat, given{ids: []any{beatID}, body: fields}, options)
}

// Withdraw: Takes one of your beats off sale and returns it. Buyers keep their licenses. `updateBeat` with
// `status` `published` puts it on sale again. A beat that was never on sale is deleted. Permission:
// beats:write.
func (s *BeatsService) Withdraw(ctx context.Context, beatID int, options ...CallOption) (*BeatDetail, error) {
	return call[*BeatDetail](ctx, s.client, opWithdrawBeat, given{ids: []any{beatID}}, options)
}

// Similar: Returns the beats most similar to the given one, the most similar first. They are compared by
// genre, tempo (half and double are near), key on the circle of fifths, and lesser factors. `similarity`
// explains each choice. Permission: beats:read.
func (s *BeatsService) Similar(ctx context.Context, beatID int, params ListSimilarBeatsParams, options ...CallOption) ([]SimilarBeat, error) {
	return call[[]SimilarBeat](ctx, s.client, opListSimilarBeats, given{ids: []any{beatID}, params: params}, options)
}

// MyBeats: Returns the beats of the key's account in every state, drafts included, newest first, one page at
// a time. Permission: beats:write. MyBeats returns the first page; MyBeatsAll iterates over the items of all
// pages.
func (s *UsersService) MyBeats(ctx context.Context, params ListOwnBeatsParams, options ...CallOption) (*ListOwnBeatsPage, error) {
	return pagesOf[BeatDetail, ListOwnBeatsExtra](s.client, opListOwnBeats, given{params: params}, options).first(ctx)
}

// MyBeatsAll iterates over the items of all pages, with one request for each. A loop that continues after an
// error requests the failed page again, at most twice: no item is lost or repeated.
func (s *UsersService) MyBeatsAll(ctx context.Context, params ListOwnBeatsParams, options ...CallOption) iter.Seq2[BeatDetail, error] {
	return pagesOf[BeatDetail, ListOwnBeatsExtra](s.client, opListOwnBeats, given{params: params}, options).all(ctx)
}

// Get: Returns the public profile of a user, producer or not. The profile has no e-mail address. Permission:
// users:read.
func (s *UsersService) Get(ctx context.Context, userID int, options ...CallOption) (*User, error) {
	return call[*User](ctx, s.client, opGetUser, given{ids: []any{userID}}, options)
}

// UpdateProfile: Changes the public profile of the key's account and returns it. An omitted field stays as it
// is; null clears it. Permission: profile:write.
func (s *UsersService) UpdateProfile(ctx context.Context, fields ProfileFields, options ...CallOption) (*User, error) {
	return call[*User](ctx, s.client, opUpdateProfile, given{body: fields}, options)
}

// List: Returns all producers with their genres and plays, one page at a time. Permission: producers:read.
// List returns the first page; ListAll iterates over the items of all pages.
func (s *ProducersService) List(ctx context.Context, params ListProducersParams, options ...CallOption) (*ListProducersPage, error) {
	return pagesOf[Producer, ListProducersExtra](s.client, opListProducers, given{params: params}, options).first(ctx)
}

// ListAll iterates over the items of all pages, with one request for each. A loop that continues after an
// error requests the failed page again, at most twice: no item is lost or repeated.
func (s *ProducersService) ListAll(ctx context.Context, params ListProducersParams, options ...CallOption) iter.Seq2[Producer, error] {
	return pagesOf[Producer, ListProducersExtra](s.client, opListProducers, given{params: params}, options).all(ctx)
}

// List: Returns all genres by name, with the number of beats on sale in each. Permission: genres:read.
func (s *GenresService) List(ctx context.Context, options ...CallOption) ([]Genre, error) {
	return call[[]Genre](ctx, s.client, opListGenres, given{}, options)
}

// Search: Returns the best matching beats and producers, up to `limit` of each. Tempos, keys and prices in
// the text become filters; `interpreted` names them. Totals are exact; `last_page` is the last page of the
// longer list. Permission: search:read. Search returns the first page; SearchAll iterates over the items of
// all pages.
func (c *Client) Search(ctx context.Context, q string, params SearchParams, options ...CallOption) (*SearchPage, error) {
	return pagesOf[SearchItem, SearchExtra](c, opSearch, given{required: []string{"q", q}, params: params}, options).first(ctx)
}

// SearchAll iterates over the items of all pages, with one request for each. A loop that continues after an
// error requests the failed page again, at most twice: no item is lost or repeated.
func (c *Client) SearchAll(ctx context.Context, q string, params SearchParams, options ...CallOption) iter.Seq2[SearchItem, error] {
	return pagesOf[SearchItem, SearchExtra](c, opSearch, given{required: []string{"q", q}, params: params}, options).all(ctx)
}

// List: Returns the orders of the key's account, newest first, one page at a time. Permission: orders:read.
// List returns the first page; ListAll iterates over the items of all pages.
func (s *OrdersService) List(ctx context.Context, params ListOrdersParams, options ...CallOption) (*ListOrdersPage, error) {
	return pagesOf[Order, ListOrdersExtra](s.client, opListOrders, given{params: params}, options).first(ctx)
}

// ListAll iterates over the items of all pages, with one request for each. A loop that continues after an
// error requests the failed page again, at most twice: no item is lost or repeated.
func (s *OrdersService) ListAll(ctx context.Context, params ListOrdersParams, options ...CallOption) iter.Seq2[Order, error] {
	return pagesOf[Order, ListOrdersExtra](s.client, opListOrders, given{params: params}, options).all(ctx)
}

// Create: Buys a license of a beat and returns the order. With `expected_amount` and `currency`, it buys only
// at the price that the buyer agreed to. A declined payment is an order, too: `failed`, with its
// `failure_reason`. A repeated request with the same `Idempotency-Key` within 24 hours does not buy again.
// Permission: orders:write.
func (s *OrdersService) Create(ctx context.Context, fields OrderRequest, options ...CallOption) (*Order, error) {
	return call[*Order](ctx, s.client, opCreateOrder, given{body: fields}, options)
}

// Get: Returns an order of the key's account. An order of another account is 404. Permission: orders:read.
func (s *OrdersService) Get(ctx context.Context, orderID int, options ...CallOption) (*Order, error) {
	return call[*Order](ctx, s.client, opGetOrder, given{ids: []any{orderID}}, options)
}

// Create: Opens one payment of one or more licenses and returns its page, on which a person pays. If one of
// the licenses is not for sale, nothing is held or charged, and the error names the license. The payment
// creates the orders. Permission: orders:write.
func (s *CheckoutsService) Create(ctx context.Context, fields CheckoutRequest, options ...CallOption) (*Checkout, error) {
	return call[*Checkout](ctx, s.client, opCreateCheckout, given{body: fields}, options)
}

// Get: Returns a checkout of the key's account, with its orders once it is paid. A checkout of another
// account is 404. Permission: orders:write.
func (s *CheckoutsService) Get(ctx context.Context, checkoutID int, options ...CallOption) (*Checkout, error) {
	return call[*Checkout](ctx, s.client, opGetCheckout, given{ids: []any{checkoutID}}, options)
}

// Create: Returns the amount that a checkout of the items would charge, and every discount that was
// considered, with the reason why it applies or not. Nothing is held, charged or stored. Permission:
// orders:write.
func (s *QuotesService) Create(ctx context.Context, fields QuoteRequest, options ...CallOption) (*Quote, error) {
	return call[*Quote](ctx, s.client, opCreateQuote, given{body: fields}, options)
}

// List: Returns the completed orders of beats that the key's account sold, newest first, one page at a time.
// Sales of imported producers that the account has claimed are included. Permission: sales:read. List returns
// the first page; ListAll iterates over the items of all pages.
func (s *SalesService) List(ctx context.Context, params ListSalesParams, options ...CallOption) (*ListSalesPage, error) {
	return pagesOf[Sale, ListSalesExtra](s.client, opListSales, given{params: params}, options).first(ctx)
}

// ListAll iterates over the items of all pages, with one request for each. A loop that continues after an
// error requests the failed page again, at most twice: no item is lost or repeated.
func (s *SalesService) ListAll(ctx context.Context, params ListSalesParams, options ...CallOption) iter.Seq2[Sale, error] {
	return pagesOf[Sale, ListSalesExtra](s.client, opListSales, given{params: params}, options).all(ctx)
}

// Files: Returns the files of a completed order, as they were at the purchase, and the license. Links to
// files are signed and valid for 15 minutes; another request gets new ones. The response waits up to ten
// seconds for files that are not ready. After that it is 503 with `Retry-After`. Permission: orders:read.
func (s *OrdersService) Files(ctx context.Context, orderID int, options ...CallOption) (*OrderFiles, error) {
	return call[*OrderFiles](ctx, s.client, opListOrderFiles, given{ids: []any{orderID}}, options)
}

// Invoices: Returns the invoice of the sale and its corrections, the oldest first: a credit note for each
// refund and lost dispute, and an invoice for money that came back. Each has a link to its PDF (Factur-X),
// valid for 15 minutes. An order has no invoice if it was free, is not completed, or was sold while no seller
// was set. Only for the buyer; a key with `sales:read` also gets those of its account's sales, as copies
// without the buyer's address and VAT number. Permission: orders:read.
func (s *OrdersService) Invoices(ctx context.Context, orderID int, options ...CallOption) ([]Invoice, error) {
	return call[[]Invoice](ctx, s.client, opListOrderInvoices, given{ids: []any{orderID}}, options)
}

// May: Answers `yes`, `no` or `unknown` by the terms under which the license was sold, with the clause that
// decides and the purchase that would allow the use. The id of a certificate is enough. No API key is needed.
func (s *LicensesService) May(ctx context.Context, licenseID string, fields LicenseQuestion, options ...CallOption) (*LicenseVerdict, error) {
	return call[*LicenseVerdict](ctx, s.client, opAskLicense, given{ids: []any{licenseID}, body: fields}, options)
}

// Usage: Returns the usage reports of one of the account's licenses, and their sums with the limits of the
// license. Permission: orders:read.
func (s *LicensesService) Usage(ctx context.Context, licenseID string, options ...CallOption) (*LicenseUsage, error) {
	return call[*LicenseUsage](ctx, s.client, opListLicenseUsage, given{ids: []any{licenseID}}, options)
}

// ReportUsage: Stores how many streams, copies or videos a source counted in a month. A report of the same
// use, period and source replaces the former quantity, so it can be repeated and corrected. Returns the
// report and the sums. At 80 and 100 percent of a limit the holder gets the event `license.usage` and a mail.
// Permission: orders:write.
func (s *LicensesService) ReportUsage(ctx context.Context, licenseID string, fields UsageReportRequest, options ...CallOption) (*LicenseUsage, error) {
	return call[*LicenseUsage](ctx, s.client, opReportLicenseUsage, given{ids: []any{licenseID}, body: fields}, options)
}

// Upgrade: Buys a higher license for the difference: the price of the higher license today, less the payments
// for the present license and those before it. With the same type it renews the license at today's price;
// this is possible from 90 days before its last day. Returns the order, whose license replaces the present
// one as soon as it is completed. With `expected_amount` and `currency`, it buys only at the amount that the
// buyer agreed to. A declined payment is an order, too. A repeated request with the same `Idempotency-Key`
// within 24 hours does not buy again. Permission: orders:write.
func (s *LicensesService) Upgrade(ctx context.Context, licenseID string, fields UpgradeRequest, options ...CallOption) (*Order, error) {
	return call[*Order](ctx, s.client, opUpgradeLicense, given{ids: []any{licenseID}, body: fields}, options)
}

// List: Returns the account's favorite beats that are on sale, the newest favorite first, one page at a time.
// Permission: users:read. List returns the first page; ListAll iterates over the items of all pages.
func (s *FavoritesService) List(ctx context.Context, params ListFavoritesParams, options ...CallOption) (*ListFavoritesPage, error) {
	return pagesOf[Beat, ListFavoritesExtra](s.client, opListFavorites, given{params: params}, options).first(ctx)
}

// ListAll iterates over the items of all pages, with one request for each. A loop that continues after an
// error requests the failed page again, at most twice: no item is lost or repeated.
func (s *FavoritesService) ListAll(ctx context.Context, params ListFavoritesParams, options ...CallOption) iter.Seq2[Beat, error] {
	return pagesOf[Beat, ListFavoritesExtra](s.client, opListFavorites, given{params: params}, options).all(ctx)
}

// Add: Adds a beat on sale to the favorites. If the beat is a favorite already, its `created_at` stays.
// Permission: profile:write.
func (s *FavoritesService) Add(ctx context.Context, beatID int, options ...CallOption) (*Favorite, error) {
	return call[*Favorite](ctx, s.client, opAddFavorite, given{ids: []any{beatID}}, options)
}

// Remove: Removes a beat from the favorites. It is no error if the beat is not a favorite. Permission:
// profile:write.
func (s *FavoritesService) Remove(ctx context.Context, beatID int, options ...CallOption) (*Favorite, error) {
	return call[*Favorite](ctx, s.client, opRemoveFavorite, given{ids: []any{beatID}}, options)
}

// Following: Returns the profiles of the producers that the account follows, the newest first, one page at a
// time. Permission: users:read. Following returns the first page; FollowingAll iterates over the items of all
// pages.
func (s *UsersService) Following(ctx context.Context, params ListFollowingParams, options ...CallOption) (*ListFollowingPage, error) {
	return pagesOf[User, ListFollowingExtra](s.client, opListFollowing, given{params: params}, options).first(ctx)
}

// FollowingAll iterates over the items of all pages, with one request for each. A loop that continues after an
// error requests the failed page again, at most twice: no item is lost or repeated.
func (s *UsersService) FollowingAll(ctx context.Context, params ListFollowingParams, options ...CallOption) iter.Seq2[User, error] {
	return pagesOf[User, ListFollowingExtra](s.client, opListFollowing, given{params: params}, options).all(ctx)
}

// Follow: Follows a producer. If the account follows the producer already, `created_at` stays. Permission:
// profile:write.
func (s *UsersService) Follow(ctx context.Context, userID int, options ...CallOption) (*Follow, error) {
	return call[*Follow](ctx, s.client, opFollowUser, given{ids: []any{userID}}, options)
}

// Unfollow: Unfollows a producer. It is no error if the account does not follow the producer. Permission:
// profile:write.
func (s *UsersService) Unfollow(ctx context.Context, userID int, options ...CallOption) (*Follow, error) {
	return call[*Follow](ctx, s.client, opUnfollowUser, given{ids: []any{userID}}, options)
}

// List: Returns the account's playlists, the newest first, one page at a time. Permission: users:read. List
// returns the first page; ListAll iterates over the items of all pages.
func (s *PlaylistsService) List(ctx context.Context, params ListPlaylistsParams, options ...CallOption) (*ListPlaylistsPage, error) {
	return pagesOf[Playlist, ListPlaylistsExtra](s.client, opListPlaylists, given{params: params}, options).first(ctx)
}

// ListAll iterates over the items of all pages, with one request for each. A loop that continues after an
// error requests the failed page again, at most twice: no item is lost or repeated.
func (s *PlaylistsService) ListAll(ctx context.Context, params ListPlaylistsParams, options ...CallOption) iter.Seq2[Playlist, error] {
	return pagesOf[Playlist, ListPlaylistsExtra](s.client, opListPlaylists, given{params: params}, options).all(ctx)
}

// Create: Creates a playlist, private by default. A repeated request with the same `Idempotency-Key` creates
// one playlist. Permission: profile:write.
func (s *PlaylistsService) Create(ctx context.Context, fields PlaylistFields, options ...CallOption) (*PlaylistDetail, error) {
	return call[*PlaylistDetail](ctx, s.client, opCreatePlaylist, given{body: fields}, options)
}

// Get: Returns one of the account's playlists, or a public playlist of another account, with its beats in
// order. Beats that are not on sale are omitted. Permission: users:read.
func (s *PlaylistsService) Get(ctx context.Context, playlistID string, options ...CallOption) (*PlaylistDetail, error) {
	return call[*PlaylistDetail](ctx, s.client, opGetPlaylist, given{ids: []any{playlistID}}, options)
}

// Update: Changes the fields in the body. `beat_ids` replaces the beats that are on sale, and their order.
// Permission: profile:write.
func (s *PlaylistsService) Update(ctx context.Context, playlistID string, fields PlaylistChanges, options ...CallOption) (*PlaylistDetail, error) {
	return call[*PlaylistDetail](ctx, s.client, opUpdatePlaylist, given{ids: []any{playlistID}, body: fields}, options)
}

// Delete: Deletes the playlist and returns it as it was. Its beats stay in the catalogue. Permission:
// profile:write.
func (s *PlaylistsService) Delete(ctx context.Context, playlistID string, options ...CallOption) (*PlaylistDetail, error) {
	return call[*PlaylistDetail](ctx, s.client, opDeletePlaylist, given{ids: []any{playlistID}}, options)
}

// AddBeat: Appends a beat to the playlist. A beat that is in the playlist already keeps its place.
// Permission: profile:write.
func (s *PlaylistsService) AddBeat(ctx context.Context, playlistID string, beatID int, options ...CallOption) (*PlaylistDetail, error) {
	return call[*PlaylistDetail](ctx, s.client, opAddPlaylistBeat, given{ids: []any{playlistID, beatID}}, options)
}

// RemoveBeat: Removes a beat from the playlist. It is no error if the beat is not in the playlist.
// Permission: profile:write.
func (s *PlaylistsService) RemoveBeat(ctx context.Context, playlistID string, beatID int, options ...CallOption) (*PlaylistDetail, error) {
	return call[*PlaylistDetail](ctx, s.client, opRemovePlaylistBeat, given{ids: []any{playlistID, beatID}}, options)
}

// List: Returns the uploads of the key's account, newest first, one page at a time, and how much of the
// storage its files take. Permission: beats:write. List returns the first page; ListAll iterates over the
// items of all pages.
func (s *UploadsService) List(ctx context.Context, params ListUploadsParams, options ...CallOption) (*ListUploadsPage, error) {
	return pagesOf[Upload, ListUploadsExtra](s.client, opListUploads, given{params: params}, options).first(ctx)
}

// ListAll iterates over the items of all pages, with one request for each. A loop that continues after an
// error requests the failed page again, at most twice: no item is lost or repeated.
func (s *UploadsService) ListAll(ctx context.Context, params ListUploadsParams, options ...CallOption) iter.Seq2[Upload, error] {
	return pagesOf[Upload, ListUploadsExtra](s.client, opListUploads, given{params: params}, options).all(ctx)
}

// Delete: Deletes an upload in any state, unless a beat uses it. Permission: beats:write.
func (s *UploadsService) Delete(ctx context.Context, uploadID string, options ...CallOption) error {
	_, err := call[Model](ctx, s.client, opDeleteUpload, given{ids: []any{uploadID}}, options)
	return err
}

// Get: Returns the state of an upload: how much of it has arrived and, after the analysis, the results or the
// reason of its rejection. An upload of another account is 404. Permission: beats:write.
func (s *UploadsService) Get(ctx context.Context, uploadID string, options ...CallOption) (*Upload, error) {
	return call[*Upload](ctx, s.client, opGetUpload, given{ids: []any{uploadID}}, options)
}

// Retry: Analyses a file again that was rejected because of a fault of the service. An upload that was not
// rejected is returned unchanged. Permission: beats:write.
func (s *UploadsService) Retry(ctx context.Context, uploadID string, options ...CallOption) (*Upload, error) {
	return call[*Upload](ctx, s.client, opRetryUpload, given{ids: []any{uploadID}}, options)
}

// List: Returns every change of a listed beat, in the order of commits, without gaps and repetitions. With it
// a program keeps a copy of the catalogue up to date. Begin with an export, then pass `next` as `after`; with
// `wait`, the response is sent as soon as something changes. Changes are stored for 30 days. Permission:
// beats:read.
func (s *ChangesService) List(ctx context.Context, params ListChangesParams, options ...CallOption) (*ChangePage, error) {
	return call[*ChangePage](ctx, s.client, opListChanges, given{params: params}, options)
}

// List: Returns the events of the last 30 days that a webhook endpoint of the account would receive, with the
// same bodies, in the order of commits, without gaps and repetitions. Programs without a public address use
// it instead of webhooks. Pass `next` as `after` of the next request; with `wait`, the response is sent as
// soon as there is an event. Permission: events:read.
func (s *EventsService) List(ctx context.Context, params ListEventsParams, options ...CallOption) (*EventPage, error) {
	return call[*EventPage](ctx, s.client, opListEvents, given{params: params}, options)
}

// Get: Returns one of the account's events of the last 30 days, with the body that webhooks have. Permission:
// events:read.
func (s *EventsService) Get(ctx context.Context, eventID string, options ...CallOption) (*Event, error) {
	return call[*Event](ctx, s.client, opGetEvent, given{ids: []any{eventID}}, options)
}

// List: Returns the requests of the last 30 days with keys of the account, newest first. A request is in the
// log a moment after its response. A response searches a bounded part of the log, so it can have fewer
// requests than `limit` and still a `next`: pass it as `after` of the next request. Permission:
// requests:read.
func (s *RequestsService) List(ctx context.Context, params ListRequestsParams, options ...CallOption) (*RequestPage, error) {
	return call[*RequestPage](ctx, s.client, opListRequests, given{params: params}, options)
}

// Get: Returns a request of the last 30 days by the `X-Request-Id` of its response: what was sent, without
// secrets, why it was refused, and the events that it caused. Permission: requests:read.
func (s *RequestsService) Get(ctx context.Context, requestID string, options ...CallOption) (*LoggedRequestDetail, error) {
	return call[*LoggedRequestDetail](ctx, s.client, opGetRequest, given{ids: []any{requestID}}, options)
}

// Create: Creates a sandbox: a copy of the service with its own data, whose clock stands still until you
// advance it. A repeated request with the same `Idempotency-Key` creates one sandbox. It needs a test key.
func (s *SandboxesService) Create(ctx context.Context, fields SandboxRequest, options ...CallOption) (*CreatedSandbox, error) {
	return call[*CreatedSandbox](ctx, s.client, opCreateSandbox, given{body: fields}, options)
}

// List: Returns the sandboxes of the account, the oldest first. It needs a test key.
func (s *SandboxesService) List(ctx context.Context, options ...CallOption) ([]Sandbox, error) {
	return call[[]Sandbox](ctx, s.client, opListSandboxes, given{}, options)
}

// Get: Returns a sandbox with its present time. It needs a test key.
func (s *SandboxesService) Get(ctx context.Context, sandboxID string, options ...CallOption) (*Sandbox, error) {
	return call[*Sandbox](ctx, s.client, opGetSandbox, given{ids: []any{sandboxID}}, options)
}

// Delete: Deletes the sandbox with its database, files and keys at once, and returns it as it was. It needs a
// test key.
func (s *SandboxesService) Delete(ctx context.Context, sandboxID string, options ...CallOption) (*Sandbox, error) {
	return call[*Sandbox](ctx, s.client, opDeleteSandbox, given{ids: []any{sandboxID}}, options)
}

// Advance: Advances the clock, and executes all that happens until then in the order of time. A request works
// for up to 10 seconds; pass `remaining` as `by` of the next one. It needs a test key.
func (s *SandboxesService) Advance(ctx context.Context, sandboxID string, fields SandboxAdvanceRequest, options ...CallOption) (*SandboxAdvance, error) {
	return call[*SandboxAdvance](ctx, s.client, opAdvanceSandbox, given{ids: []any{sandboxID}, body: fields}, options)
}

// Fork: Creates another sandbox with the same time and data, and a key of its own. A repeated request with
// the same `Idempotency-Key` creates one copy. It needs a test key.
func (s *SandboxesService) Fork(ctx context.Context, sandboxID string, options ...CallOption) (*CreatedSandbox, error) {
	return call[*CreatedSandbox](ctx, s.client, opForkSandbox, given{ids: []any{sandboxID}}, options)
}

// Trigger: Creates in test mode what the event describes, such as an order and its refund. The event and its
// deliveries follow. It needs a test key.
func (s *EventsService) Trigger(ctx context.Context, fields TestEventRequest, options ...CallOption) (*TestEvent, error) {
	return call[*TestEvent](ctx, s.client, opTriggerEvent, given{body: fields}, options)
}

// Beats: Returns all listed beats in one file, compressed with gzip: one line of JSON for each, as in `GET
// /beats/{beat_id}`, in the order of ids. The file is at most ten minutes old, or older if nothing has
// changed since. Together with `GET /changes` from its `X-Change-Position` on, it is an exact copy of the
// catalogue. Each key may download one export an hour, outside of the plan's limits. Resuming an interrupted
// download with Range does not count. Writes into a file. Resumes after a lost connection. The timeout is the
// longest wait for the next bytes. It returns a RateLimitError if the key took an export within the last
// hour. It returns a BeatMarketError if the file cannot be written. Permission: beats:read.
func (s *ExportsService) Beats(ctx context.Context, path string, options ...CallOption) (*BeatExport, error) {
	return s.transferBeats(ctx, path, options)
}

// Export: Returns the sales of a month (UTC), the oldest first, as CSV in UTF-8 with a byte order mark and a
// header line. Amounts have two decimals. A name that a spreadsheet would take for a formula begins with an
// apostrophe. Writes into a file. Starts again after a lost connection. The timeout is the longest wait for
// the next bytes. It returns an InvalidRequestError if the month is invalid. It returns a BeatMarketError if
// the file cannot be written. Permission: sales:read.
func (s *SalesService) Export(ctx context.Context, month string, path string, options ...CallOption) (*Response, error) {
	return s.transferExport(ctx, month, path, options)
}

// Archive: Returns the files of a completed order and its license certificate in one ZIP, uncompressed, with
// the same bytes every time. Resume an interrupted download with Range, and with the ETag in `If-Range`. The
// response waits up to ten seconds for files that are not ready. After that it is 503 with `Retry-After`. It
// is 410 once the order is refunded in full. Writes into a file. Resumes after a lost connection. The timeout
// is the longest wait for the next bytes. It returns an InvalidRequestError with status 409, if the order is
// not completed. It returns a NotFoundError if the account has no such order. It returns a BeatMarketError if
// the file cannot be written. Permission: orders:read.
func (s *OrdersService) Archive(ctx context.Context, orderID int, path string, options ...CallOption) (*Response, error) {
	return s.transferArchive(ctx, orderID, path, options)
}

// Download: Downloads a file of an order. Writes to the destination with .part after its name, and renames
// that file when it is complete. A later call resumes the .part file. Resumes after a lost connection, and
// requests a new link when the old one has expired. The timeout is the longest wait for the next bytes. A
// complete file is not downloaded again. The key is not sent to the link, which may lead to another host. It
// returns a ChecksumError if the checksum of the file is wrong; the file is deleted. It returns a
// BeatMarketError if the order has no such file, or the destination cannot be written. It returns an
// InvalidRequestError with status 409, if the order is not completed. It returns a NotFoundError if the
// account has no such order. Permission: orders:read.
func (s *OrdersService) Download(ctx context.Context, orderID int, kind FileKind, destination string, params DownloadParams, options ...CallOption) (*DownloadedFile, error) {
	return s.transferDownload(ctx, orderID, kind, destination, params, options)
}

// DownloadAll: Downloads all files of an order into a folder, one after the other as Download does. Uses the
// service's names, without characters that a file system refuses or that lead out of the folder. It returns a
// ChecksumError if the checksum of the file is wrong; the file is deleted. It returns a BeatMarketError if
// the order was refunded and has no files, or the folder cannot be written. It returns a NotFoundError if the
// account has no such order. Permission: orders:read.
func (s *OrdersService) DownloadAll(ctx context.Context, orderID int, folder string, params DownloadParams, options ...CallOption) ([]DownloadedFile, error) {
	return s.transferDownloadAll(ctx, orderID, folder, params, options)
}

// Upload: Uploads a file in parts, by tus 1.0. After a failed part, continues at the offset that the service
// has. Then the service analyses the file: Wait waits for that. The timeout applies to each part, and grows
// by a second for each 64 kB of the part. After an error, Resume continues with the id that OnProgress got.
// It returns a BeatMarketError if the file cannot be read. It returns an InvalidRequestError if the file is
// too large, or the account has too many uploads that no beat uses. Permission: beats:write.
func (s *UploadsService) Upload(ctx context.Context, source Source, kind UploadKind, params UploadParams, options ...CallOption) (*Upload, error) {
	return s.transferUpload(ctx, source, kind, params, options)
}

// Resume: Sends the rest of a file whose upload was begun by this process or another one. It returns a
// BeatMarketError if the file cannot be read, or has another size than the upload. It returns a NotFoundError
// if the account has no such upload, or the upload was deleted. Permission: beats:write.
func (s *UploadsService) Resume(ctx context.Context, uploadID string, source Source, params UploadParams, options ...CallOption) (*Upload, error) {
	return s.transferResume(ctx, uploadID, source, params, options)
}

// Wait: Waits until an upload is ready, for at most ten minutes by default. A limit of 0 means the default.
// It returns an UploadRejectedError if its file was rejected. It returns an APITimeoutError if the upload is
// neither ready nor rejected in time. It returns a NotFoundError if the account has no such upload, or the
// upload was deleted. Permission: beats:write.
func (s *UploadsService) Wait(ctx context.Context, uploadID string, limit time.Duration, options ...CallOption) (*Upload, error) {
	return s.transferWait(ctx, uploadID, limit, options)
}

var opListBeats = operation{"listBeats", "GET", "/beats", "pages", []string{"beats"}}

var opCreateBeat = operation{"createBeat", "POST", "/beats", "object", []string{"beat"}}

var opGetBeat = operation{"getBeat", "GET", "/beats/{beat_id}", "object", []string{"beat"}}

var opUpdateBeat = operation{"updateBeat", "PATCH", "/beats/{beat_id}", "object", []string{"beat"}}

var opWithdrawBeat = operation{"withdrawBeat", "DELETE", "/beats/{beat_id}", "object", []string{"beat"}}

var opListSimilarBeats = operation{"listSimilarBeats", "GET", "/beats/{beat_id}/similar", "array", []string{"beats"}}

var opListOwnBeats = operation{"listOwnBeats", "GET", "/users/me/beats", "pages", []string{"beats"}}

var opGetUser = operation{"getUser", "GET", "/users/{user_id}", "object", []string{"user"}}

var opUpdateProfile = operation{"updateProfile", "PUT", "/users/profile", "object", []string{"user"}}

var opListProducers = operation{"listProducers", "GET", "/producers", "pages", []string{"producers"}}

var opListGenres = operation{"listGenres", "GET", "/genres", "array", []string{"genres"}}

var opSearch = operation{"search", "GET", "/search", "pages", []string{"beats", "producers"}}

var opListOrders = operation{"listOrders", "GET", "/orders", "pages", []string{"orders"}}

var opCreateOrder = operation{"createOrder", "POST", "/orders", "object", []string{"order"}}

var opGetOrder = operation{"getOrder", "GET", "/orders/{order_id}", "object", []string{"order"}}

var opCreateCheckout = operation{"createCheckout", "POST", "/checkouts", "object", []string{"checkout"}}

var opGetCheckout = operation{"getCheckout", "GET", "/checkouts/{checkout_id}", "object", []string{"checkout"}}

var opCreateQuote = operation{"createQuote", "POST", "/quotes", "object", []string{"quote"}}

var opListSales = operation{"listSales", "GET", "/users/me/sales", "pages", []string{"sales"}}

var opExportSales = operation{"exportSales", "GET", "/users/me/sales.csv", "none", nil}

var opListOrderFiles = operation{"listOrderFiles", "GET", "/orders/{order_id}/files", "data", nil}

var opDownloadOrderArchive = operation{"downloadOrderArchive", "GET", "/orders/{order_id}/archive", "none", nil}

var opListOrderInvoices = operation{"listOrderInvoices", "GET", "/orders/{order_id}/invoices", "array", []string{"invoices"}}

var opAskLicense = operation{"askLicense", "POST", "/licenses/{license_id}/may", "object", []string{"verdict"}}

var opListLicenseUsage = operation{"listLicenseUsage", "GET", "/licenses/{license_id}/usage", "object", []string{"usage"}}

var opReportLicenseUsage = operation{"reportLicenseUsage", "POST", "/licenses/{license_id}/usage", "object", []string{"usage"}}

var opUpgradeLicense = operation{"upgradeLicense", "POST", "/licenses/{license_id}/upgrade", "object", []string{"order"}}

var opListFavorites = operation{"listFavorites", "GET", "/users/me/favorites", "pages", []string{"beats"}}

var opAddFavorite = operation{"addFavorite", "PUT", "/users/me/favorites/{beat_id}", "object", []string{"favorite"}}

var opRemoveFavorite = operation{"removeFavorite", "DELETE", "/users/me/favorites/{beat_id}", "object", []string{"favorite"}}

var opListFollowing = operation{"listFollowing", "GET", "/users/me/following", "pages", []string{"users"}}

var opFollowUser = operation{"followUser", "PUT", "/users/me/following/{user_id}", "object", []string{"follow"}}

var opUnfollowUser = operation{"unfollowUser", "DELETE", "/users/me/following/{user_id}", "object", []string{"follow"}}

var opListPlaylists = operation{"listPlaylists", "GET", "/playlists", "pages", []string{"playlists"}}

var opCreatePlaylist = operation{"createPlaylist", "POST", "/playlists", "object", []string{"playlist"}}

var opGetPlaylist = operation{"getPlaylist", "GET", "/playlists/{playlist_id}", "object", []string{"playlist"}}

var opUpdatePlaylist = operation{"updatePlaylist", "PATCH", "/playlists/{playlist_id}", "object", []string{"playlist"}}

var opDeletePlaylist = operation{"deletePlaylist", "DELETE", "/playlists/{playlist_id}", "object", []string{"playlist"}}

var opAddPlaylistBeat = operation{"addPlaylistBeat", "PUT", "/playlists/{playlist_id}/beats/{beat_id}", "object", []string{"playlist"}}

var opRemovePlaylistBeat = operation{"removePlaylistBeat", "DELETE", "/playlists/{playlist_id}/beats/{beat_id}", "object", []string{"playlist"}}

var opListUploads = operation{"listUploads", "GET", "/uploads", "pages", []string{"uploads"}}

var opDeleteUpload = operation{"deleteUpload", "DELETE", "/uploads/{upload_id}", "none", nil}

var opGetUpload = operation{"getUpload", "GET", "/uploads/{upload_id}", "object", []string{"upload"}}

var opRetryUpload = operation{"retryUpload", "POST", "/uploads/{upload_id}/retry", "object", []string{"upload"}}

var opListChanges = operation{"listChanges", "GET", "/changes", "data", []string{"changes"}}

var opListEvents = operation{"listEvents", "GET", "/events", "data", []string{"events"}}

var opGetEvent = operation{"getEvent", "GET", "/events/{event_id}", "object", []string{"event"}}

var opListRequests = operation{"listRequests", "GET", "/requests", "data", nil}

var opGetRequest = operation{"getRequest", "GET", "/requests/{request_id}", "object", []string{"request"}}

var opExportBeats = operation{"exportBeats", "GET", "/exports/beats.ndjson.gz", "none", nil}

var opCreateSandbox = operation{"createSandbox", "POST", "/test/sandboxes", "object", []string{"sandbox"}}

var opListSandboxes = operation{"listSandboxes", "GET", "/test/sandboxes", "array", []string{"sandboxes"}}

var opGetSandbox = operation{"getSandbox", "GET", "/test/sandboxes/{sandbox_id}", "object", []string{"sandbox"}}

var opDeleteSandbox = operation{"deleteSandbox", "DELETE", "/test/sandboxes/{sandbox_id}", "object", []string{"sandbox"}}

var opAdvanceSandbox = operation{"advanceSandbox", "POST", "/test/sandboxes/{sandbox_id}/advance", "object", []string{"advance"}}

var opForkSandbox = operation{"forkSandbox", "POST", "/test/sandboxes/{sandbox_id}/fork", "object", []string{"sandbox"}}

var opTriggerEvent = operation{"triggerEvent", "POST", "/test/events", "object", []string{"test_event"}}

// errorNames has the error of each code of the API.
var errorNames = map[string]string{
	"invalid_request":     "InvalidRequestError",
	"unauthorized":        "AuthenticationError",
	"forbidden":           "PermissionDeniedError",
	"not_found":           "NotFoundError",
	"rate_limit_exceeded": "RateLimitError",
	"server_error":        "ServerError",
}

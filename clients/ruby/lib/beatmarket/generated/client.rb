# frozen_string_literal: true

# Generated from contract/openapi.json by npm run contract; do not edit.

require_relative "../resources/beats"
require_relative "resources/users"
require_relative "resources/producers"
require_relative "resources/genres"
require_relative "../resources/orders"
require_relative "resources/checkouts"
require_relative "resources/quotes"
require_relative "../resources/sales"
require_relative "resources/licenses"
require_relative "resources/favorites"
require_relative "resources/playlists"
require_relative "../resources/uploads"
require_relative "resources/changes"
require_relative "../resources/events"
require_relative "resources/requests"
require_relative "../resources/exports"
require_relative "resources/sandboxes"

module BeatMarket
  class Client
    # @return [Resources::Beats] The beats on sale, and your own.
    attr_reader :beats
    # @return [Resources::Users] Public profiles, and your own.
    attr_reader :users
    # @return [Resources::Producers] Users who sell beats.
    attr_reader :producers
    # @return [Resources::Genres] The genres of the catalogue.
    attr_reader :genres
    # @return [Resources::Orders] The purchases of the key's account.
    attr_reader :orders
    # @return [Resources::Checkouts] Payments of one or more licenses, on a page of the service.
    attr_reader :checkouts
    # @return [Resources::Quotes] What purchases would cost, with discounts.
    attr_reader :quotes
    # @return [Resources::Sales] What the key's account sold.
    attr_reader :sales
    # @return [Resources::Licenses] What licenses allow, and reports of their use.
    attr_reader :licenses
    # @return [Resources::Favorites] The favorite beats of the key's account.
    attr_reader :favorites
    # @return [Resources::Playlists] Lists of beats: your own, and public ones.
    attr_reader :playlists
    # @return [Resources::Uploads] Files that become beats.
    attr_reader :uploads
    # @return [Resources::Changes] What changes in the catalogue, in the order of commits.
    attr_reader :changes
    # @return [Resources::Events] The events that webhooks deliver, for programs without a public address.
    attr_reader :events
    # @return [Resources::Requests] The request log of the key's account.
    attr_reader :requests
    # @return [Resources::Exports] All beats in one file.
    attr_reader :exports
    # @return [Resources::Sandboxes] Services of your own whose time you set.
    attr_reader :sandboxes

    # Search beats and producers. Returns the best matching beats and producers, up to +limit+ of each. Tempos, keys and
    # prices in the text become filters; +interpreted+ names them. Totals are exact; +last_page+ is the last page of the
    # longer list. Needs the permission +search:read+.
    #
    # @param q [String] The search text: words of titles, producers, genres and tags, tempos (<tt>140 bpm</tt>,
    #   <tt>138-142</tt>, <tt>trap 140</tt>), keys (<tt>a minor</tt>, +8A+) and prices (<tt>under $20</tt>). The last
    #   word may be incomplete. Accents, case and typing errors are ignored.
    # @param type [String, Symbol, nil] The types to search. One of +beats+, +producers+, +all+. Default: all.
    # @param page [Integer, nil] The number of the page, from 1.
    # @param limit [Integer, nil] The largest number of beats, and of producers, on a page. 1 to 50. Default: 20.
    # @param genre [Integer, Array<Integer>, nil] Only beats of the genres with these ids.
    # @param producer [Integer, Array<Integer>, nil] Only beats of the producers with these ids.
    # @param bpm_min [Integer, nil] Only beats of this +bpm+ or faster. 1 to 999.
    # @param bpm_max [Integer, nil] Only beats of this +bpm+ or slower. 1 to 999.
    # @param bpm [Integer, nil] Only beats of this +bpm+. Instead of +bpm_min+ and +bpm_max+. 1 to 999.
    # @param bpm_tolerance [Numeric, nil] The percentage by which a beat may differ from +bpm+. Default: 0. 0 to 50.
    # @param half_double [Boolean, nil] Whether beats of half and of double the +bpm+ match as well. Default: false.
    # @param key [String, Array<String>, nil] Only beats in these keys: <tt>A minor</tt>, +Am+ or +8A+ (Camelot);
    #   enharmonic spellings are the same key; +unknown+ for beats without one.
    # @param key_compatible [String, nil] Only beats that mix with this key: itself, its relative and its neighbours on
    #   the circle of fifths. Spelled as in +key+.
    # @param price_min [Numeric, nil] Only beats whose +price+ is this or more.
    # @param price_max [Numeric, nil] Only beats whose +price+ is this or less.
    # @param duration_min [Integer, nil] Only beats of this many seconds or more.
    # @param duration_max [Integer, nil] Only beats of this many seconds or less.
    # @param created_after [Time, String, nil] Only beats whose +created_at+ is this time or later, ISO 8601. A date
    #   alone is its first second, UTC.
    # @param created_before [Time, String, nil] Only beats whose +created_at+ is this time or earlier, ISO 8601. A date
    #   alone is its last second, UTC.
    # @param tag [String, Array<String>, nil] Only beats with one of these tags. Accents and case are ignored.
    # @param license [String, Symbol, Array<String, Symbol>, nil] Only beats with one of these licenses available. One
    #   of +basic+, +premium+, +unlimited+, +exclusive+.
    # @param sort [String, Symbol, nil] The order of the beats. One of +relevance+, +newest+, +popular+, +price_asc+,
    #   +price_desc+, +bpm_asc+, +bpm_desc+. Default: relevance.
    # @param facets [String, Symbol, Array<String, Symbol>, nil] The properties to count beats by. Counts are exact and
    #   apply all filters except those on the same property. One of +genre+, +key+, +bpm+, +price+, +tag+.
    # @param fields [String, Array<String>, nil] The fields to return of each object, by their names in the response.
    #   Fields that only the response of a single beat has are allowed, too. All other fields are absent, although the
    #   schemas of responses describe whole objects.
    # @param interpret [Boolean, nil] Whether tempos, keys and prices in +q+ become filters. With false, they are words
    #   like any other. Default: true.
    # @param max_items [Integer, nil] Maximum number of records in an iteration.
    # @return [SearchResults] with {BeatDetail}s if fields are given
    # @raise [APIStatusError, APIConnectionError] during the iteration
    def search(
      q, type: nil, page: nil, limit: nil, genre: nil, producer: nil, bpm_min: nil, bpm_max: nil, bpm: nil,
      bpm_tolerance: nil, half_double: nil, key: nil, key_compatible: nil, price_min: nil, price_max: nil,
      duration_min: nil, duration_max: nil, created_after: nil, created_before: nil, tag: nil, license: nil, sort: nil,
      facets: nil, fields: nil, interpret: nil, max_items: nil
    )
      model = fields ? BeatDetail : Beat
      query = {
        q:, type:, page:, limit:, genre:, producer:, bpm_min:, bpm_max:, bpm:, bpm_tolerance:, half_double:, key:,
        key_compatible:, price_min:, price_max:, duration_min:, duration_max:, created_after:, created_before:, tag:,
        license:, sort:, facets:, fields:, interpret:
      }
      pages("search", { "beats" => model, "producers" => Producer }, query, max_items, SearchResults, SearchPage)
    end

    private

    def use(transport)
      @transport = transport
      @beats = Resources::Beats.new(transport)
      @users = Resources::Users.new(transport)
      @producers = Resources::Producers.new(transport)
      @genres = Resources::Genres.new(transport)
      @orders = Resources::Orders.new(transport)
      @checkouts = Resources::Checkouts.new(transport)
      @quotes = Resources::Quotes.new(transport)
      @sales = Resources::Sales.new(transport)
      @licenses = Resources::Licenses.new(transport)
      @favorites = Resources::Favorites.new(transport)
      @playlists = Resources::Playlists.new(transport)
      @uploads = Resources::Uploads.new(transport)
      @changes = Resources::Changes.new(transport)
      @events = Resources::Events.new(transport)
      @requests = Resources::Requests.new(transport)
      @exports = Resources::Exports.new(transport)
      @sandboxes = Resources::Sandboxes.new(transport)
    end
  end
end

# frozen_string_literal: true

require_relative "errors"
require_relative "generated/models"

module BeatMarket
  # The records of one response, in API order.
  class Collection
    include Enumerable

    # @return [Array<Model>] the records, frozen
    attr_reader :data
    # @return [Response] their response
    attr_reader :response

    # @param data [Array<Model>]
    # @param response [Response]
    def initialize(data, response)
      @data = data.freeze
      @response = response
    end

    # @yieldparam record [Model]
    # @return [self, Enumerator]
    def each(&block)
      return to_enum { size } unless block

      data.each(&block)
      self
    end

    # @return [Integer] number of records in this response
    def size = data.size
    alias length size

    # @return [Boolean]
    def empty? = data.empty?

    # @return [Model, Array<Model>, nil] as with an Array
    def [](...) = data.[](...)

    # @return [String]
    def inspect = "#<#{self.class} of #{size}, #{response.inspect}>"
  end

  # A page of a feed, in the order of commits.
  class PositionPage < Collection
    # @return [Integer] the position to continue from
    def next = response.optional("next")

    # @return [Integer] {#next}
    # @raise [APIStatusError] if there is no position: +follow+ would start again with the oldest entry
    # @api private
    def position = self.next.is_a?(Integer) ? self.next : raise(response.fault("The response has no position to continue from"))
  end

  # One page of a {List}. Enumerates only the records of this page, without those beyond the +max_items+ of the list.
  class Page < Collection
    # @return [Pagination] the position of the page
    attr_reader :pagination

    # @param source [List::Source]
    # @param response [Response]
    # @param left [Integer, nil] maximum number of records in this page and those after it
    # @raise [APIStatusError] if the response is not a page
    # @api private
    def initialize(source, response, left)
      @source = source
      @pagination = Pagination.new(response.member("pagination", Hash))
      wanted = left
      @parts = source.types.to_h do |name, type|
        records = type.list(response.member(name, Array))
        records = records.first(wanted).freeze if wanted
        wanted -= records.size if wanted
        [name, records]
      end
      @left = wanted
      super(@parts.values.flatten(1), response)
    end

    # @return [Integer] number of records in all pages
    def total = pagination.total

    # Fetches the next page. After an error, it can be called again.
    #
    # @return [Page, nil] nil after the last page, and after +max_items+
    # @raise [APIStatusError] for an error response, or if the next page has another origin. No request is sent there
    # @raise [APIConnectionError]
    def next_page = next_target&.then { |target| @source.page(target, @left) }

    # @return [String, nil] the path and query of the next page; nil after the last, and after +max_items+
    # @raise [APIStatusError] if it has another origin
    # @api private
    def next_target
      return if @left == 0

      address = pagination.next_page_url or return
      target = @source.transport.target_of(address) or
        raise response.fault("The next page has another origin than base_url. Set base_url to the address that the service uses in its links")
      target unless target == response.target
    end

    private

    # The records of a member of +data+.
    def part(name) = @parts.fetch(name)
  end

  # A lazy list, which fetches pages during iteration.
  #
  #   client.beats.list(genre: 3).each { |beat| puts beat.title }     # every page
  #   client.beats.list(sort: "popular").first(10)                    # only the needed pages
  #
  # The first request is sent on first use. The first page is cached: +total+, +data+ and iterations share one request
  # for it.
  class List
    include Enumerable

    # @param source [Source]
    # @param max_items [Integer, nil] maximum number of records
    # @raise [BeatMarketError] if +max_items+ is not an integer of 0 or more
    # @api private
    def initialize(source, max_items)
      unless max_items.nil? || (max_items.is_a?(Integer) && max_items >= 0)
        raise BeatMarketError, "max_items must be a whole number from 0, not #{max_items.inspect}"
      end

      @source = source
      @max_items = max_items
    end

    # Iterates over the records of all pages, at most +max_items+.
    #
    # @yieldparam record [Model]
    # @return [self, Enumerator] without a block, an Enumerator whose +next+ retries the failed page after an error
    # @raise [APIStatusError, APIConnectionError] if a page cannot be fetched
    def each(&block)
      return enumerator { |walk, yielder| walk.each { |page| page.data.each { |record| yielder << record } } } unless block

      Walk.new(self).each { |page| page.data.each(&block) } unless @max_items == 0
      self
    end

    # Iterates over the pages, which have at most +max_items+ records together.
    #
    # @yieldparam page [Page]
    # @return [self, Enumerator] as for {#each}
    # @raise [APIStatusError, APIConnectionError]
    def each_page(&block)
      return enumerator { |walk, yielder| walk.each { |page| yielder << page } } unless block

      Walk.new(self).each(&block) unless @max_items == 0
      self
    end

    # @return [Page] the first page, fetched once
    # @raise [APIStatusError, APIConnectionError]
    def first_page
      @first_page ||= @source.page(@source.transport.target(@source.path, @source.query), @max_items)
    end

    # @return [Array<Model>] the records of the first page
    def data = first_page.data

    # @return [Integer] number of records in all pages, whatever +max_items+
    def total = first_page.total

    # @return [Pagination] of the first page
    def pagination = first_page.pagination

    # @return [Response] of the first page
    def response = first_page.response

    # @return [String] does not send a request
    def inspect = "#<#{self.class} #{@source.path} #{@source.query.compact}>"

    private

    # Ruby restarts the block of an Enumerator after an error, so the block must continue the interrupted iteration.
    def enumerator
      walk = nil
      Enumerator.new do |yielder|
        walk = Walk.new(self) unless walk&.interrupted?
        yield walk, yielder unless @max_items == 0
        self
      end
    end

    # The request for the pages of a list. +types+ has the class of the records for each member of +data+ with records.
    #
    # @api private
    Source = Struct.new(:transport, :operation, :path, :query, :types, :page_type, keyword_init: true) do
      def page(target, left) = page_type.new(self, transport.call("GET", target, operation: operation), left)
    end

    # One iteration over the pages of a list. Resumes after an error.
    #
    # @api private
    class Walk
      def initialize(list)
        @list = list
        @visited = {}
        @is_interrupted = false
      end

      # Whether the iteration ended because a page could not be fetched.
      def interrupted? = @is_interrupted

      # Only hashes of the visited pages are kept, so a long iteration needs little memory.
      def each
        while (page = following)
          @visited[page.response.target.hash] = true
          yield @page = page
        end
      end

      private

      # The next page, unless there is none or it was visited before.
      def following
        @is_interrupted = true
        target = @page&.next_target
        page = @page ? (@page.next_page unless target.nil? || @visited.key?(target.hash)) : @list.first_page
        @is_interrupted = false
        page
      end
    end
  end
end

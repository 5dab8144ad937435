# frozen_string_literal: true

require "set"
require_relative "models"

module BeatMarket
  # The records of one answer, in the order of the API.
  class Collection
    include Enumerable

    # @return [Array<Model>] the records, frozen
    attr_reader :data
    # @return [Response] the answer they came in
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

    # @return [Integer] records of this answer
    def size = data.size
    alias length size

    # @return [Boolean]
    def empty? = data.empty?

    # @return [Model, Array<Model>, nil] as with an Array
    def [](...) = data.[](...)

    # @return [String]
    def inspect = "#<#{self.class} of #{size}, #{response.inspect}>"
  end

  # One page of a {List}. Enumerating it visits this page alone.
  class Page < Collection
    # @return [Pagination] where the page stands
    attr_reader :pagination

    # @param source [List::Source]
    # @param response [Response]
    # @raise [APIStatusError] when the answer holds no page
    # @api private
    def initialize(source, response)
      @source = source
      @pagination = Pagination.new(response.record("pagination"))
      super(source.records(response), response)
    end

    # @return [Integer] records in all pages
    def total = pagination.total

    # Fetches the page after this one. When that fails, call it again: nothing is lost and nothing comes twice.
    #
    # @return [Page, nil] nil when this is the last
    # @raise [APIStatusError] also when the answer names an address of another origin, which is not called
    # @raise [APIConnectionError]
    def next_page
      target = next_target
      self.class.new(@source, @source.transport.call("GET", target)) if target
    end

    # @return [String, nil] the path and query of the page after this one
    # @raise [APIStatusError] when it is of another origin
    # @api private
    def next_target
      address = pagination.next_page_url or return
      target = @source.transport.target_of(address) or raise response.fault("its next page is elsewhere: #{address}")
      target unless target == response.target
    end
  end

  # A list of any length, fetched page by page while it is walked.
  #
  #   client.beats.list(genre: 3).each { |beat| puts beat.title }     # every page
  #   client.beats.list(sort: "popular").first(10)                    # only the pages that are needed
  #
  # Nothing is asked for before the first record is. The first page is kept, so that +total+, +data+ and the walks
  # together cost one request for it.
  class List
    include Enumerable

    # @param source [Source]
    # @param query [Hash] parameters of the first page
    # @param max_items [Integer, nil] where a walk stops
    # @param page_type [Class]
    # @raise [BeatMarketError] when +max_items+ is not a whole number from 0
    # @api private
    def initialize(source, query, max_items: nil, page_type: Page)
      unless max_items.nil? || (max_items.is_a?(Integer) && max_items >= 0)
        raise BeatMarketError, "max_items must be a whole number from 0, not #{max_items.inspect}"
      end

      @source = source
      @query = query
      @max_items = max_items
      @page_type = page_type
    end

    # Visits the records of all pages, +max_items+ of them at most.
    #
    # @yieldparam record [Model]
    # @return [self, Enumerator] the Enumerator of a call without a block goes on with the page that failed when +next+ is
    #   called again after an error
    # @raise [APIStatusError, APIConnectionError] when a page cannot be had
    def each(&block)
      return enumerator(:each) unless block

      Walk.new(self, @max_items).each(&block)
      self
    end

    # Visits the pages, up to and including the one with the last of +max_items+ records.
    #
    # @yieldparam page [Page]
    # @return [self, Enumerator] as with {#each}
    # @raise [APIStatusError, APIConnectionError]
    def each_page(&block)
      return enumerator(:each_page) unless block

      Walk.new(self, @max_items).each_page { |page| block.call(page) }
      self
    end

    # @return [Page] the first page; fetched once
    # @raise [APIStatusError, APIConnectionError]
    def first_page
      @first_page ||= @page_type.new(@source, @source.transport.get(@source.path, @query))
    end

    # @return [Array<Model>] the records of the first page
    def data = first_page.data

    # @return [Integer] records in all pages
    def total = first_page.total

    # @return [Pagination] of the first page
    def pagination = first_page.pagination

    # @return [Response] of the first page
    def response = first_page.response

    # @return [String] nothing is fetched for it
    def inspect = "#<#{self.class} #{@source.path} #{@query.compact}>"

    private

    # Ruby starts the block of an Enumerator anew after an error; an interrupted walk is what it must go on with.
    def enumerator(visit)
      walk = nil
      Enumerator.new do |yielder|
        walk = Walk.new(self, @max_items) unless walk&.interrupted?
        walk.public_send(visit) { |visited| yielder << visited }
        self
      end
    end

    # Where the pages of a list come from, and what their records are.
    #
    # @api private
    Source = Struct.new(:transport, :path, :types, keyword_init: true) do
      # @param response [Response]
      # @return [Array<Model>]
      def records(response)
        types.flat_map { |name, type| response.records(name).map { |fields| type.new(fields) } }
      end
    end

    # One way through the pages of a list. After an error it goes on where it was.
    #
    # @api private
    class Walk
      # @param list [List]
      # @param max_items [Integer, nil]
      def initialize(list, max_items)
        @list = list
        @left = max_items
        @visited = Set.new
        @is_interrupted = false
      end

      # @return [Boolean] whether it ended because a page could not be had
      def interrupted? = @is_interrupted

      # @yieldparam record [Model]
      def each(&block)
        each_page { |page, wanted| (wanted ? page.data.first(wanted) : page.data).each(&block) }
      end

      # @yieldparam page [Page]
      # @yieldparam wanted [Integer, nil] how many of its records are wanted; nil for all
      def each_page
        while @left != 0 && advance
          wanted = [@left, @page.size].min if @left
          @left -= wanted if @left
          yield @page, wanted
        end
      end

      private

      # Goes to the next page, unless there is none, or it was visited: of each only the hash is remembered, so that a
      # walk of any length stays small.
      def advance
        @is_interrupted = true
        page = following
        @is_interrupted = false
        return unless page

        @visited << page.response.target.hash
        @page = page
      end

      def following
        return @list.first_page unless @page

        target = @page.next_target
        @page.next_page if target && !@visited.include?(target.hash)
      end
    end
  end
end

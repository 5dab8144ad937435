# frozen_string_literal: true

require "json"
require "securerandom"
require "stringio"
require_relative "connections"
require_relative "extras"
require_relative "observers"
require_relative "query"
require_relative "response"
require_relative "retries"
require_relative "version"

module BeatMarket
  # Sends requests: URL, headers, retries, log. Independent of the resources.
  #
  # @api private
  class Transport
    LEAST_RETRIES_OF_TRANSFERS = 5
    # The redirects of a link. The client does not follow redirects of the API.
    REDIRECTS = [301, 302, 303, 307, 308].freeze
    MAX_REDIRECTS = 5
    # The methods of requests with an Idempotency-Key.
    KEYED = %w[POST PATCH DELETE].freeze
    USER_AGENT = "beatmarket-ruby/#{VERSION}"

    # The settings that can differ between calls.
    Settings = Struct.new(:timeout, :max_retries, :max_retry_after, :logger, :headers, :query, :body, :user_agent_suffix,
                          :on_request, :on_response, :log_level, keyword_init: true) do
      # @return [Settings] with these changes
      def with(**changes) = self.class.new(**to_h, **changes)

      # The retries of an upload or a download: enough to outlive a restart of the service and a change of network.
      #
      # @return [Settings]
      def transferring = with(max_retries: max_retries.zero? ? 0 : [max_retries, LEAST_RETRIES_OF_TRANSFERS].max)
    end

    # @param uri [URI::Generic]
    # @return [Boolean] whether it is https, or http on the local machine: nobody else can read the key
    def self.encrypted?(uri)
      return false if uri.userinfo || uri.hostname.to_s.empty?

      is_loopback = ["localhost", "::1"].include?(uri.hostname) || uri.hostname.match?(/\A127(\.\d{1,3}){3}\z/)
      uri.is_a?(URI::HTTPS) || (uri.is_a?(URI::HTTP) && is_loopback)
    end

    # @param uri [URI::Generic]
    # @return [Boolean] whether it is http or https
    def self.address?(uri) = uri.is_a?(URI::HTTP) && !uri.userinfo && !uri.hostname.to_s.empty?

    # @return [URI::HTTP] the base URL
    attr_reader :base
    # @return [Settings]
    attr_reader :settings
    # @return [Connections]
    attr_reader :connections

    # @param authorization [Proc] returns the Authorization header; a Proc, here and below, so that dumps do not show it
    # @param base [URI::HTTP]
    # @param connections [Connections]
    # @param settings [Settings]
    def initialize(authorization:, base:, connections:, settings:)
      @authorization = authorization
      @base = base
      @root = base.path
      @is_unobserved = [settings.on_request, settings.on_response, settings.log_level].all?(&:nil?)
      @connections = connections
      @settings = settings
      @user_agent = [USER_AGENT, settings.user_agent_suffix].compact.join(" ").freeze
      plain = { "accept" => "application/json", "user-agent" => @user_agent, "authorization" => authorization.call, **settings.headers }.freeze
      @plain_headers = -> { plain }
    end

    # @param settings [Settings]
    # @return [Transport] a copy with other settings that shares the connections
    def with(settings)
      self.class.new(authorization: @authorization, base: base, connections: connections, settings: settings)
    end

    # Sends a request, and retries temporary failures.
    #
    # @param verb [String] GET, POST …
    # @param target [String] path and query, including the path of the base URL
    # @param body [Object, nil] sent as JSON; a String is sent unchanged
    # @param headers [Hash] further headers
    # @param settings [Settings] of this call
    # @param stream [ByteStream, nil] takes the body
    # @param operation [String, nil] of the API
    # @param is_bare [Boolean] whether a successful response has no JSON
    # @return [Response] 2xx with a JSON object; any 2xx for HEAD, and if +is_bare+; 204; or 304
    # @raise [APIStatusError, APIConnectionError]
    def call(verb, target, body: nil, headers: {}, settings: self.settings, stream: nil, operation: nil, is_bare: !stream.nil?)
      text = json(extended(body))
      sent = headers_for(verb, text, headers)
      retrying(verb, target, settings, stream) do |number|
        all = stream ? { **sent, **stream.headers } : sent
        response = attempt(connections, verb, target, all, settings.timeout, number, text: text, stream: stream, operation: operation)
        check(verb, response) unless is_bare && response.success?
        response
      end
    end

    # Fetches a signed link once, without the key, and follows its redirects to the storage.
    #
    # @param link [String]
    # @param stream [ByteStream] takes the body
    # @param number [Integer] of the attempt, from 1
    # @return [Response] 2xx
    # @raise [APIStatusError, APIConnectionError]
    # @raise [BeatMarketError] if the link is not an https address
    def fetch(link, stream, number)
      uri = resolved(link) or raise BeatMarketError, "The link of the file is not an https address"
      headers = { "accept-encoding" => "identity", "user-agent" => @user_agent, **stream.headers }
      MAX_REDIRECTS.downto(0) do |left|
        response = visit(uri, headers, stream, number)
        return response if response.success?
        raise response.fault unless REDIRECTS.include?(response.status)

        uri = resolved(response.header("location"), uri) if left.positive?
        raise response.fault("The link redirects too often, or not to an https address") if uri.nil? || left.zero?
      end
    end

    # Tries until the block succeeds, or fails for good.
    #
    # @param what [String] for the log: what is retried, as "upload"
    # @param name [String] for the log: its path or id
    # @param settings [Settings]
    # @param transfer [#advanced?, nil] if it advanced, the attempts are counted from 1 again
    # @yieldparam number [Integer] of the attempt, from 1
    # @return what the block returns
    def retrying(what, name, settings, transfer = nil)
      tries = 0
      begin
        tries += 1
        yield tries
      rescue APIStatusError, APIConnectionError => error
        tries = 1 if transfer&.advanced?
        raise if error.final? || tries > settings.max_retries

        wait = Retries.wait(error, tries, settings.max_retry_after) or raise

        settings.logger&.warn("beatmarket") { "#{what} #{name} again in #{wait.round(1)} s: #{error.message}" }
        pause(wait)
        retry
      end
    end

    # @param seconds [Numeric]
    # @return [void]
    def pause(seconds) = sleep(seconds)

    # @param path [String] relative to the base URL
    # @param query [Hash, nil] nil values are omitted
    # @return [String] path and query of the request, with the query fields of {Client#with}
    # @raise [BeatMarketError] if the caller adds a field that the query has
    def target(path, query = nil)
      return query ? Query.after(@root + path, query) : @root + path if settings.query.empty?

      there = Query.names_in(path.split("?", 2)[1])
      Query.after(@root + path, Extras.added("query", query&.compact || {}, settings.query, there))
    end

    # @param address [String] a URL from a response
    # @return [String, nil] its path and query, with the query fields of {Client#with} that it lacks; nil if its origin
    #   is not that of the base URL
    def target_of(address)
      uri = URI.parse(address.to_s)
      return unless [uri.scheme, uri.hostname, uri.port] == [base.scheme, base.hostname, base.port]

      there = Query.names_in(uri.query)
      Query.after(uri.request_uri, settings.query.reject { |name, _| there.include?(name) })
    rescue URI::InvalidURIError
      nil
    end

    # @param id [Integer, String] identifier in a path
    # @return [String] percent-encoded
    # @raise [BeatMarketError] if it is empty, a dot segment or not an id
    def segment(id)
      return id.to_s if id.is_a?(Integer)

      is_id = [String, Symbol].any? { |type| id.is_a?(type) } && !["", ".", ".."].include?(id.to_s)
      raise BeatMarketError, "An id cannot be #{id.inspect}" unless is_id

      Query.escape(id)
    end

    # @return [String]
    def inspect = "#<#{self.class} #{base}>"

    private

    # The body with the fields of {Client#with}.
    def extended(body)
      return body if settings.body.empty?
      raise BeatMarketError, "This call has no JSON object to add #{settings.body.keys.join(", ")} to" unless body.is_a?(Hash)

      Extras.added("body", body, settings.body)
    end

    # The response gets its target without the signature of a link.
    def attempt(connections, verb, target, headers, timeout, number, text: nil, stream: nil, operation: nil, shown: target)
      request = Net::HTTPGenericRequest.new(verb, !text.nil?, verb != "HEAD", target, headers)
      if text
        request.content_length = text.bytesize
        request.body_stream = StringIO.new(text) # Of a string, net/http would copy the rest after each write.
      end
      key = headers["idempotency-key"]
      return respond(connections, request, timeout, stream, shown, key) if @is_unobserved

      observed = Attempt.new(settings, method: verb, path: shown.split("?", 2).first, operation: operation, attempt: number, request_headers: headers)
      begin
        answer = nil
        response = respond(connections, request, timeout, stream, shown, key) { |begun| answer = begun }
      rescue Exception => failure
        raise
      ensure
        observed.ended(answer, response, failure)
      end
    end

    def respond(connections, request, timeout, stream, shown, key, &begun)
      started = settings.logger && Process.clock_gettime(Process::CLOCK_MONOTONIC)
      received = connections.exchange(request, timeout, stream, &begun)
      body = received.body
      body = nil unless body.is_a?(String) # of a stream
      response = Response.new(status: received.code.to_i, headers: received.to_hash, text: body, target: shown, idempotency_key: key)
      log(request.method, response, started) if started
      # net/http treats a truncated body as complete.
      is_cut = body && response.body.nil? && body.bytesize < received.content_length.to_i
      raise APIConnectionError, "The connection was closed within the body" if is_cut

      response
    rescue APIConnectionError => error
      raise error.class.new(error.message, idempotency_key: key), cause: error.cause
    end

    # Omits the query of a link, which contains its signature.
    def visit(uri, headers, stream, number)
      elsewhere = connections.to(uri)
      attempt(elsewhere, "GET", uri.request_uri, headers, settings.timeout, number, stream: stream, shown: uri.path)
    ensure
      elsewhere&.close unless elsewhere.equal?(connections)
    end

    # Returns an address if its connection is confidential; otherwise nil.
    def resolved(address, from = nil)
      uri = from ? URI.join(from, address.to_s) : URI.parse(address)
      uri if Transport.encrypted?(uri) && !address.to_s.empty?
    rescue URI::Error
      nil
    end

    def json(body)
      body.nil? || body.is_a?(String) ? body : JSON.generate(body)
    rescue JSON::JSONError, EncodingError => error
      raise BeatMarketError, "The body cannot be written as JSON: #{error.message}"
    end

    # Redirects are not followed: they would send the key to another origin.
    def check(verb, response)
      is_known_form = response.body.is_a?(Hash) && response.body["status"] != "error"
      return if response.success? && (is_known_form || verb == "HEAD" || response.status == 204)
      return if response.status == 304
      raise response.fault("A redirect is not followed: is base_url right?") if response.status.between?(300, 399) && response.header("location")
      raise response.fault unless response.success?

      raise response.body.is_a?(Hash) ? response.fault("The response has an unknown form") : response.fault
    end

    # Without an Idempotency-Key, a retry after a lost response could buy twice, or fail with 412 by its own change.
    def headers_for(verb, text, headers)
      plain = @plain_headers.call
      return plain if text.nil? && headers.empty? && !KEYED.include?(verb)

      sent = plain.dup
      sent["content-type"] = "application/json" if text
      sent["idempotency-key"] = SecureRandom.uuid if KEYED.include?(verb)
      headers.each do |name, value|
        Extras.sendable(name, value)
        sent[name.to_s.downcase] = value.to_s
      end
      sent
    end

    def log(verb, response, begun)
      settings.logger.debug("beatmarket") do
        milliseconds = ((Process.clock_gettime(Process::CLOCK_MONOTONIC) - begun) * 1000).round
        "#{verb} #{response.target} #{response.status} #{milliseconds} ms request_id=#{response.request_id}"
      end
    end
  end
end

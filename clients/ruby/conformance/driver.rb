# frozen_string_literal: true

# The Ruby driver; clients/conformance/README.md describes the protocol.

$LOAD_PATH.unshift(File.expand_path("../lib", __dir__))

require "beatmarket"
require "logger"
require "pp"
require "stringio"

# Responds to each line of the runner.
class Driver
  OPTIONS = { "timeout_seconds" => :timeout, "max_retry_after_seconds" => :max_retry_after }.freeze

  def reply_to(line)
    id, action, operation = line["id"], line["action"], line.dig("args", "operation")
    return { id: id, unsupported: action } unless respond_to?("do_#{action}")
    return { id: id, unsupported: operation } unless operation.nil? || BeatMarket::OPERATIONS.key?(operation)

    { id: id, result: public_send("do_#{action}", line["args"] || {}, line["client"]) }
  end

  def do_call(args, options)
    hooked(options) do |options|
      caller = client(options)
      caller = caller.with(**settings(args["options"])) if args["options"]
      result = invoke(caller, args["operation"], args["arguments"])
      next { value: nil, meta: nil } if result.nil?

      meta = meta(result.response)
      read = args["read"]&.to_h { |path| [path, typed(result, path)] }
      { value: value(result), meta: meta, read: read }.compact
    end
  end

  def do_request(args, options)
    hooked(options) do |options|
      given = { query: args["query"], body: args["body"], headers: args["headers"] || {} }
      response = client(options).request(args.fetch("method"), args.fetch("path"), **given)
      { value: response.body, meta: meta(response) }
    end
  end

  # The first page, and the following ones by next_page.
  def do_pages(args, options)
    pages = []
    failure = caught do
      page = invoke(client(options), args["operation"], args["arguments"]).first_page
      while page
        pages << page.map { |record| id_of(record) }
        break if pages.size == args["pages"]

        page = page.next_page
      end
      return { pages: pages, has_next: !page.nil? }
    end
    { pages: pages, has_next: true, **failure }
  end

  def do_follow(args, options)
    pages = []
    resource = BeatMarket::OPERATIONS.fetch(args["operation"]).ruby.first
    client(options).public_send(resource).follow(**(args["arguments"] || {}).transform_keys(&:to_sym)) do |page|
      seen = args["operation"] == "listChanges" ? { positions: page.map(&:position) } : { ids: page.map(&:id) }
      pages << { **seen, next: page.next }
      break if pages.size == args["pages"]
    end
    { pages: pages, errors: [] }
  rescue StandardError => error
    { pages: pages, errors: [error_of(error)] }
  end

  def do_stream_events(args, options)
    ids = []
    events = client(options).events.stream(**(args["arguments"] || {}).transform_keys(&:to_sym))
    failure = caught do
      events.each { |event| ids << event.id and ids.size == args["events"] and break {} }
    end
    { ids: ids, position: events.position, errors: [failure[:error]].compact }
  end

  def do_stream_export(_args, options)
    ids = []
    export = client(options).exports.beats
    failure = caught { export.each { |beat| ids << beat.id } && {} }
    { ids: ids, position: export.position, **failure }
  end

  # Makes a call with one client. Then each child process makes calls with it, and the parent makes one more.
  def do_fork(args, options)
    shared = client(options)
    call = ->(arguments) { caught { ids(invoke(shared, args["operation"], arguments)) } }
    call.call(args["arguments"].first)
    children = args["arguments"].first(args["children"]).map { |arguments| forked { Array.new(args["calls"]) { call.call(arguments) } } }
    values = children.map { |child, ended| JSON.parse(child.read).tap { ended.join } }
    { values: values, parent: call.call(args["arguments"].first) }
  end

  def do_upload(args, options)
    progress = []
    result = caught do
      uploads = client(options).uploads
      parts = { part_bytes: args["part_bytes"] }.compact
      note = ->(reached) { progress << reached.to_h }
      upload = if args["upload_id"] then uploads.resume(args["upload_id"], args["path"], **parts, &note)
               else uploads.upload(args["path"], kind: args["kind"], **parts, &note)
               end
      { value: upload.to_h }
    end
    { **result, progress: progress }
  end

  def do_download(args, options)
    downloading { |note| client(options).orders.download(args["order_id"], args["kind"], args["path"], &note).to_h }
  end

  def do_download_all(args, options)
    downloading { |note| client(options).orders.download_all(args["order_id"], args["folder"], &note).map(&:to_h) }
  end

  def do_wait(args, options)
    caught { { value: client(options).uploads.wait(args["upload_id"], **{ timeout: args["timeout_seconds"] }.compact).to_h } }
  end

  def do_iterate(args, options)
    items = []
    errors = []
    begin
      list = invoke(client(options), args["operation"], args["arguments"], max_items: args["max_items"])
      iterator = list.each
      args["resume"] ? resume(iterator, items, errors) : list.each { |record| items << id_of(record) }
    rescue StandardError => error
      errors << error_of(error)
    end
    { items: items, errors: errors }
  end

  def do_parallel(args, options)
    shared = client(options)
    operation = args["operation"]
    invoke(shared, operation, args["calls"].first.first)
    workers = args["calls"].map do |calls|
      Thread.new { calls.map { |arguments| caught { ids(invoke(shared, operation, arguments)) } } }
    end
    { values: workers.map(&:value) }
  end

  def do_secrets(args, options)
    log = StringIO.new
    subject = client(options, logger: Logger.new(log, level: Logger::DEBUG))
    parts = [subject, subject.beats, subject.orders, subject.sales, subject.uploads, subject.with(timeout: 1), subject.webhooks]
    errors = args["calls"].filter_map do |call|
      parts << invoke(subject, call["operation"], call["arguments"])
      nil
    rescue BeatMarket::BeatMarketError => error
      error
    end
    begin
      subject.webhooks.verify("{}", "0", args["secret"])
    rescue BeatMarket::BeatMarketError => error
      errors << error
    end
    shown = (parts + errors).flat_map { |part| [part.inspect, part.to_s, part.pretty_inspect, JSON.generate(part), deep(part)] }
    { log: log.string, inspected: shown, errors: errors.map(&:full_message) }
  end

  def do_verify(args, _options)
    BeatMarket::Webhooks.verify(args["body_base64"].unpack1("m"), args["header"], args["secrets"])
    { verdict: "valid" }
  rescue BeatMarket::SignatureVerificationError
    { verdict: "invalid" }
  rescue BeatMarket::BeatMarketError
    { verdict: "config_error" }
  end

  def do_unwrap(args, _options)
    tolerance = args.key?("tolerance_seconds") ? { tolerance: args["tolerance_seconds"] } : {}
    caught do
      { value: BeatMarket::Webhooks.unwrap(args["body_base64"].unpack1("m"), args["headers"], args["secrets"], **tolerance).to_h }
    end
  end

  def do_describe(args, _options)
    subject = BeatMarket::Client.new(api_key: "none", base_url: "https://localhost/v1")
    models = args["models"].filter_map { |name| BeatMarket.const_get(name) if BeatMarket.const_defined?(name) }
    {
      language: "ruby",
      version: BeatMarket::VERSION,
      operations: BeatMarket::OPERATIONS.transform_values { |operation| describe(subject, operation) },
      models: models.to_h { |model| [short(model), leaves(model)] },
      events: BeatMarket::Event::DATA.transform_values { |model| short(model) },
      errors: BeatMarket::APIStatusError::BY_CODE.transform_values { |type| short(type) }
    }
  end

  private

  # Does some work with hooks that record their arguments, or fail.
  def hooked(options)
    kind = options["hooks"] or return caught { yield options }

    seen = []
    hooks = %w[request response].to_h do |hook|
      note = lambda do |info|
        raise "the hook fails" if kind == "#{hook} fails"

        facts = info.to_h
        facts[:error] = facts[:error] && short(facts[:error].class) if facts.key?(:error)
        seen << { hook: hook, **facts }
      end
      ["on_#{hook}", note]
    end
    { **caught { yield({ **options.except("hooks"), **hooks }) }, hooks: seen }
  end

  def downloading
    progress = []
    { **caught { { value: yield(->(reached) { progress << reached.to_h }) } }, progress: progress }
  end

  def meta(response)
    { status: response.status, request_id: response.request_id, etag: response.etag, rate_limit: response.rate_limit&.to_h }
  end

  def client(options, **further) = BeatMarket::Client.new(**settings(options), **further)

  def settings(options) = options.to_h { |name, option| [OPTIONS.fetch(name, name).to_sym, option] }

  # Runs the block in a separate process. Returns its result as JSON.
  def forked
    reader, writer = IO.pipe
    child = fork do
      writer.write(JSON.generate(yield))
      exit
    end
    writer.close
    [reader, Process.detach(child)]
  end

  # Calls the method of an operation with the positional arguments of its signature.
  def invoke(client, operation, arguments, **further)
    function = function_of(client, BeatMarket::OPERATIONS.fetch(operation))
    given = (arguments || {}).transform_keys(&:to_sym)
    positional = function.parameters.filter_map { |kind, name| given.delete(name) if kind == :req }
    function.call(*positional, **given, **further.compact)
  end

  def function_of(client, operation)
    *owner, name = operation.ruby
    owner.reduce(client) { |object, member| object.public_send(member) }.method(name)
  end

  def value(result)
    case result
    when BeatMarket::SearchResults
      { beats: result.beats.map { |record| plain(record) }, producers: result.producers.map { |record| plain(record) }, pagination: result.pagination.to_h,
        totals: plain(result.totals), interpreted: plain(result.interpreted), facets: plain(result.facets) }.compact
    when BeatMarket::BeatList
      { items: result.data.map { |record| plain(record) }, pagination: result.pagination.to_h, facets: plain(result.facets),
        missing: result.missing }.compact
    when BeatMarket::UploadList
      { items: result.data.map { |record| plain(record) }, pagination: result.pagination.to_h, storage: plain(result.storage) }
    when BeatMarket::List then { items: result.data.map { |record| plain(record) }, pagination: result.pagination.to_h }
    when BeatMarket::BeatExport then { position: result.position, ids: result.map(&:id) }
    when BeatMarket::SalesExport then { path: result.path }
    when BeatMarket::EventPage then { events: result.events.map { |record| plain(record) }, next: result.next }
    when BeatMarket::ChangePage then { changes: result.changes.map { |record| plain(record) }, next: result.next }
    when BeatMarket::Collection then result.map { |record| plain(record) }
    else result.to_h
    end
  end

  def ids(result)
    case result
    when BeatMarket::List then result.data.map { |record| id_of(record) }
    when BeatMarket::Collection then result.map { |record| id_of(record) }
    else result.id
    end
  end

  def plain(value) = value.is_a?(BeatMarket::Model) ? value.to_h : value

  def id_of(record) = record.is_a?(BeatMarket::Model) ? record.id : record

  # The value at a dotted path of methods; "items" is the data of a list.
  def typed(result, path)
    path.split(".").reduce(result) do |object, name|
      next object[Integer(name)] if name.match?(/\A\d+\z/)

      object.public_send(name == "items" && object.is_a?(BeatMarket::List) ? :data : name)
    end
  end

  def resume(iterator, items, errors)
    loop { items << id_of(iterator.next) }
  rescue BeatMarket::BeatMarketError => error
    errors << error_of(error)
    retry if errors.size < 3
  end

  def caught
    yield
  rescue StandardError => error
    { error: error_of(error) }
  end

  def error_of(error)
    return { class: nil, text: error.full_message } unless error.is_a?(BeatMarket::BeatMarketError)

    names = error.class.ancestors.take_while { |type| type != StandardError }.grep(Class).map { |type| short(type) }
    fields = %i[status code details request_id retry_after content_type excerpt idempotency_key].to_h { |name| [name, (error.public_send(name) if error.respond_to?(name))] }
    {
      class: names.first, is: names, **fields, message: error.respond_to?(:reason) ? error.reason : error.message, cause: error.cause&.message, text: error.message,
      rate_limit: (error.rate_limit&.to_h if error.respond_to?(:rate_limit)),
      **(error.is_a?(BeatMarket::UploadRejectedError) ? { upload: error.upload.to_h } : {})
    }
  end

  # Everything reachable through instance variables, as tools that dump objects see it.
  def deep(object, seen = {}.compare_by_identity)
    return "" if seen[object] || object.is_a?(URI::Generic)

    seen[object] = true
    parts = object.instance_variables.map { |name| object.instance_variable_get(name) }
    parts += object.to_a if object.is_a?(Array) || object.is_a?(Struct)
    parts += object.to_a.flatten(1) if object.is_a?(Hash)
    [object.is_a?(Proc) ? "" : object.inspect, *parts.map { |part| deep(part, seen) }].join("\n")
  end

  def describe(client, operation)
    names = function_of(client, operation).parameters.map { |_kind, name| name.name } - ["max_items"]
    elsewhere = ["idempotency_key", "if_match", *operation.path.scan(/\{(\w+)\}/).flatten]
    in_body = operation.verb == "GET" ? [] : names - elsewhere
    { method: operation.verb, path: operation.path, parameters: names - in_body, body: in_body }
  end

  def leaves(model)
    model.fields.flat_map do |name|
      type = Array(model.nested[name]).first
      type ? leaves(type).map { |leaf| "#{name}.#{leaf}" } : [name.name]
    end
  end

  def short(type) = type.name.split("::").last
end

if $PROGRAM_NAME == __FILE__
  $stdout.sync = true
  driver = Driver.new
  $stdin.each_line { |line| puts JSON.generate(driver.reply_to(JSON.parse(line))) }
end

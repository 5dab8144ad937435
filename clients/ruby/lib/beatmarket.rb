# frozen_string_literal: true

# The Ruby client of the Beat Marketplace API. Start with {Client}; a webhook receiver needs only {Webhooks}.
module BeatMarket
  %i[ByteStream FileStream LineStream].each { |name| autoload name, "#{__dir__}/beatmarket/byte_stream" }
  %i[OrderDownload DownloadProgress DownloadedFile].each { |name| autoload name, "#{__dir__}/beatmarket/order_download" }
  %i[TusUpload UploadProgress].each { |name| autoload name, "#{__dir__}/beatmarket/tus_upload" }
  %i[EventStream EventFeed].each { |name| autoload name, "#{__dir__}/beatmarket/event_stream" }
  autoload :ServerSentEvents, "#{__dir__}/beatmarket/server_sent"
  autoload :FileName, "#{__dir__}/beatmarket/file_name"
  autoload :Testing, "#{__dir__}/beatmarket/testing"
end

require_relative "beatmarket/version"
require_relative "beatmarket/webhooks"
require_relative "beatmarket/client"

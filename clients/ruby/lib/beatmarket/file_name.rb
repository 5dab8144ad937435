# frozen_string_literal: true

module BeatMarket
  # Names of files that every file system accepts, and that stay in their folder.
  #
  # @api private
  module FileName
    # File systems allow 255 bytes, and a download appends +.part+ to the name.
    MAX_BYTES = 200
    # Characters that Windows or POSIX refuse, control characters, and characters that change the direction of text.
    REFUSED = %r{[/\\:*?"<>|\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]}.freeze
    # Names that Windows reserves, with any extension.
    DEVICE = /\A(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|\z)/i.freeze

    module_function

    # @param name [String]
    # @param default [String] if no character of the name is left
    # @return [String]
    def safe(name, default)
      safe = name.gsub(REFUSED, "_").gsub(/\A[ .]+|[ .]+\z/, "")
      return default if safe.empty?

      shortened(safe.match?(DEVICE) ? "_#{safe}" : safe)
    end

    # @param name [String]
    # @return [String] of at most {MAX_BYTES}, with its extension
    def shortened(name)
      return name if name.bytesize <= MAX_BYTES

      extension = name[/\.[^.]{0,10}\z/].to_s
      name.byteslice(0, MAX_BYTES - extension.bytesize).scrub("") + extension
    end
  end
end

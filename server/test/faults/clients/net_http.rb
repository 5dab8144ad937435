# Net::HTTP of Ruby's standard library.
require "json"
require "net/http"
require "stringio"

job = JSON.parse(ENV.fetch("JOB"))
url = URI(job["origin"] + job["path"])
outcomes = Hash.new(0)
job["runs"].times do
  http = Net::HTTP.new(url.host, url.port)
  http.use_ssl = url.scheme == "https"
  http.ca_file = job["caFile"] if http.use_ssl?
  http.max_retries = 0
  http.read_timeout = 120
  request = Net::HTTP::Post.new(url.path, job["headers"])
  if job["isChunked"]
    request["Transfer-Encoding"] = "chunked"
    request.body_stream = StringIO.new(" " * job["bytes"])
  else
    request.body = " " * job["bytes"]
  end
  outcome =
    begin
      response = http.request(request)
      "#{response.code} #{JSON.parse(response.body)["error"]["message"]}"
    rescue StandardError => e
      e.inspect
    end
  outcomes[outcome] += 1
end
puts JSON.generate(outcomes)

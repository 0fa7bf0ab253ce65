import CPage
import Crypto
import HTTPTypes
import Hummingbird
import NIOCore
import Router

/// The page's files, which are in the binary.
struct WebPage: Sendable {
  private struct File: Sendable {
    let type: String
    let tag: String
    let body: ByteBuffer
  }

  private let files: [String: File]

  init() {
    var files: [String: File] = [:]
    for index in 0..<page_file_count() {
      let file = page_file_at(index)
      let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
      let tag = "\"\(SHA256.hash(data: bytes).prefix(8).hexadecimal)\""
      files[String(cString: file.path)] = File(
        type: String(cString: file.type), tag: tag, body: ByteBuffer(bytes: bytes))
    }
    self.files = files
  }

  /// The response to a request for one of the files; `nil` if it is for something else.
  func response(to request: Request) -> Response? {
    guard request.method == .get || request.method == .head, let file = files[request.uri.path] else { return nil }
    // A browser asks each time, so that the page is never older than the daemon.
    let headers: HTTPFields = [.contentType: file.type, .eTag: file.tag, .cacheControl: "no-cache"]
    if request.headers[.ifNoneMatch] == file.tag { return Response(status: .notModified, headers: headers) }
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: file.body))
  }
}

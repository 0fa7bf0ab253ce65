import CPage
import NIOCore
import NIOHTTP1
import Router

/// The page's files, which are embedded in the binary.
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
      let tag = "\"\(Cryptography.sha256(bytes).prefix(8).hexadecimal)\""
      files[String(cString: file.path)] = File(
        type: String(cString: file.type), tag: tag, body: ByteBuffer(bytes: bytes))
    }
    self.files = files
  }

  /// Returns the response to a request for one of the files; `nil` for other paths.
  func response(to request: Request) -> Response? {
    guard request.method == .GET || request.method == .HEAD, let file = files[request.path] else { return nil }
    // The browser revalidates each time, so that the page always matches the daemon's version.
    let headers: HTTPHeaders = ["Content-Type": file.type, "ETag": file.tag, "Cache-Control": "no-cache"]
    if request.header("if-none-match") == file.tag { return Response(.notModified, headers) }
    return Response(.ok, headers, body: file.body)
  }
}

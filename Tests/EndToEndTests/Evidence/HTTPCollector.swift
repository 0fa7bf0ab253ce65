import Foundation
import Router

/// A small HTTP server on a loopback port, which answers each POST with what a closure returns for its path and body.
final class HTTPCollector: Sendable {
  let port: UInt16
  private let descriptor: CInt

  /// - Parameter port: The port to listen at (default: a free one).
  init(port: UInt16 = 0, reply: @escaping @Sendable (String, [UInt8]) -> (status: Int, body: [UInt8])) throws {
    let (listening, port) = try LoopbackSocket.listen(port: port)
    (descriptor, self.port) = (listening, port)
    // Closes the socket only after its shutdown, so that its number is not reused meanwhile.
    Thread.detachNewThread {
      while true {
        let connection = accept(listening, nil, nil)
        guard connection >= 0 else { break }
        if let (path, body) = Self.take(connection) {
          let (status, answer) = reply(path, body)
          let bytes =
            Array("HTTP/1.1 \(status) X\r\nContent-Length: \(answer.count)\r\nConnection: close\r\n\r\n".utf8) + answer
          _ = send(connection, bytes, bytes.count, CInt(MSG_NOSIGNAL))
        }
        close(connection)
      }
      close(listening)
    }
  }

  deinit { shutdown(descriptor, CInt(SHUT_RDWR)) }

  /// Reads a request to the end of its body; `nil` if the client goes away first.
  private static func take(_ connection: CInt) -> (path: String, body: [UInt8])? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let length = lines.first { $0.lowercased().hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
        if bytes.count - end.upperBound >= length {
          let path = lines[0].split(separator: " ").dropFirst().first.map(String.init) ?? ""
          return (path, Array(bytes[end.upperBound...].prefix(length)))
        }
      }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }
}

enum LoopbackSocket {
  /// Listens at a loopback port; the caller closes the socket.
  static func listen(port: UInt16 = 0) throws -> (descriptor: CInt, port: UInt16) {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var isOn: CInt = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<CInt>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && Glibc.listen(descriptor, 16) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw RouterError(.unreachable, "cannot listen: \(String(cString: strerror(errno)))") }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }
}

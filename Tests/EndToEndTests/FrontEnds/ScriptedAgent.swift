import Foundation
import Router

@testable import RouterFrontEnds

/// An ssh agent whose replies a test decides.
final class ScriptedAgent: Sendable {
  private let descriptor: CInt
  /// The frames of all connections, as received.
  let frames: AsyncStream<[UInt8]>

  /// - Parameter reply: Returns the reply to a frame of the connection with this number; `nil` for none.
  init(_ path: String, reply: @escaping @Sendable (_ connection: Int, _ frame: SSHAgentFrame) -> [UInt8]?) throws {
    let descriptor = try UnixSocket.listen(at: path)
    self.descriptor = descriptor
    let (frames, continuation) = AsyncStream<[UInt8]>.makeStream()
    self.frames = frames
    Thread.detachNewThread {
      var number = 0
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { break }
        let index = number
        number += 1
        Thread.detachNewThread {
          Self.serve(connection) { frame in
            continuation.yield(frame.bytes)
            return reply(index, frame)
          }
        }
      }
      close(descriptor)
      continuation.finish()
    }
  }

  deinit { shutdown(descriptor, CInt(SHUT_RDWR)) }

  private static func serve(_ connection: CInt, _ reply: (SSHAgentFrame) -> [UInt8]?) {
    var frames = SSHAgentFrames()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      frames.append(buffer[..<count])
      while let frame = frames.next() {
        guard let reply = reply(frame) else { continue }
        _ = send(connection, reply, reply.count, CInt(MSG_NOSIGNAL))
      }
    }
    close(connection)
  }
}

/// A client of an ssh agent that sends any bytes.
final class AgentClient: Sendable {
  private let descriptor: CInt

  init(_ path: String) throws { descriptor = try UnixSocket.connect(to: path) }

  deinit { close(descriptor) }

  /// Ends the connection, as a program does that closes its socket.
  func disconnect() { shutdown(descriptor, CInt(SHUT_RDWR)) }

  func send(_ bytes: [UInt8]) async {
    await onThread { [descriptor] in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Receives the next frame; `nil` if the agent disconnects.
  func frame() async -> [UInt8]? {
    await onThread { [descriptor] in
      var frames = SSHAgentFrames()
      while true {
        var byte: UInt8 = 0
        guard recv(descriptor, &byte, 1, 0) == 1 else { return nil }
        frames.append([byte])
        if let frame = frames.next() { return frame.bytes }
      }
    }
  }

  private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body()) }
    }
  }
}

/// Messages of the agent protocol.
enum SSHAgentSample {
  static let success = frame(6)
  /// A request to sign a text.
  static let signing = {
    var body: [UInt8] = []
    body.append(sshString: Array("key".utf8))
    body.append(sshString: Array("text".utf8))
    body.append(sshNumber: 0)
    return frame(13, body)
  }()

  /// A request to sign in a namespace.
  static let signature = {
    var (body, data): ([UInt8], [UInt8]) = ([], Array("SSHSIG".utf8))
    for text in ["file", "", "sha512", "a hash"] { data.append(sshString: Array(text.utf8)) }
    body.append(sshString: Array("key".utf8))
    body.append(sshString: data)
    body.append(sshNumber: 0)
    return frame(13, body)
  }()

  static func frame(_ kind: UInt8, _ body: [UInt8] = []) -> [UInt8] { SSHAgentFrame(kind, body).bytes }
}

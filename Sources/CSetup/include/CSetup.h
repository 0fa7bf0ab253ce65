// The files that `routerctl setup` copies, embedded into the binary by the compiler: UTF-8 that ends with a zero byte.
#pragma once

/// Config/systemd/user/routerd.service
const char *setup_routerd_service(void);

/// Config/systemd/user/router-ssh-agent.service
const char *setup_ssh_agent_service(void);

/// Config/systemd/page.conf
const char *setup_page_conf(void);

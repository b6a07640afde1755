-- The form of Ntfy asks for "Insecure TLS", as the contract has it, and no longer for a scheme of its own.
update connections set insecure_tls = (properties ->> 'scheme' = 'http')
 where type = 'ntfy' and properties ? 'scheme' and insecure_tls is distinct from (properties ->> 'scheme' = 'http');

-- Removes the account with which ./deploy tests a deployment, and all that belongs to it. The operator's log
-- keeps its entries. A test checks that no table is left out.
delete from county_grants where account_id in (select id from accounts where email = 'deployment-test@matterbook.invalid');
delete from api_keys where account_id in (select id from accounts where email = 'deployment-test@matterbook.invalid');
delete from sign_in_links where login_id in (select id from logins where account_id in (select id from accounts where email = 'deployment-test@matterbook.invalid'));
delete from sessions where login_id in (select id from logins where account_id in (select id from accounts where email = 'deployment-test@matterbook.invalid'));
delete from passkeys where login_id in (select id from logins where account_id in (select id from accounts where email = 'deployment-test@matterbook.invalid'));
delete from logins where account_id in (select id from accounts where email = 'deployment-test@matterbook.invalid');
delete from clients where account_id in (select id from accounts where email = 'deployment-test@matterbook.invalid');
delete from client_states where account_id in (select id from accounts where email = 'deployment-test@matterbook.invalid');
delete from removed_clients where account_id in (select id from accounts where email = 'deployment-test@matterbook.invalid');
delete from settlements where account_id in (select id from accounts where email = 'deployment-test@matterbook.invalid');
delete from commits where account_id in (select id from accounts where email = 'deployment-test@matterbook.invalid');
delete from letters_on where account_id in (select id from accounts where email = 'deployment-test@matterbook.invalid');
delete from review_items where account_id in (select id from accounts where email = 'deployment-test@matterbook.invalid');
delete from client_aliases where account_id in (select id from accounts where email = 'deployment-test@matterbook.invalid');
delete from saved_answers where account_id in (select id from accounts where email = 'deployment-test@matterbook.invalid');
delete from client_tombstones where account_id in (select id from accounts where email = 'deployment-test@matterbook.invalid');
delete from accounts where email = 'deployment-test@matterbook.invalid';
